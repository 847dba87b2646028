-- roost: min_code_level 1

-- sent_hash: SHA-256 of what the visitor sent, so that something else under a key that is known is no repeat; null where
-- it was stored before this column was there. cancelled_at: its times are free again and its goods are back.
alter table lead
  add column sent_hash bytea check (length(sent_hash) = 32),
  add column cancelled_at timestamptz;

-- Where the goods of a line were taken from, so that they go back there whatever the pages say by then; null where
-- nobody counts them.
alter table order_line
  add column stock_table text collate "C",
  add column stock_column text collate "C",
  add check ((stock_table is null) = (stock_column is null));
