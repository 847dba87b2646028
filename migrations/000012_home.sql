-- roost: min_code_level 1

-- Which database the installation lives in (kernel/identity.ts), so that a copy is known as one; null until the next start.
alter table installation add column home text;
