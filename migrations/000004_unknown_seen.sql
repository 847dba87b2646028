-- roost: min_code_level 1

-- A message of unknown end stays listed until an operator has looked at it.
alter table outbox add column seen_at timestamptz;
drop index outbox_unknown;
create index outbox_unknown on outbox (created_at) where state = 4 and seen_at is null;
