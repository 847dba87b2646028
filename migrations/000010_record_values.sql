-- roost: min_code_level 1

-- Rows of a project's table by what a column holds, without looking at all of them. It is built beside a working system.
-- roost: step alone
create index concurrently record_values on record using gin (values jsonb_path_ops);
