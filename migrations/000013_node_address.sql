-- roost: min_code_level 1

-- Where a process listens, so that commands beside it name addresses that open.
alter table node add column address text;
