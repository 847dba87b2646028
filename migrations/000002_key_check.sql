-- roost: min_code_level 1

-- Proves that a master key is the one that sealed what stands here, without giving anything of it away. It is made
-- together with the installation; an installation of before has none until its next start.
alter table installation add column key_check bytea check (length(key_check) = 32);
