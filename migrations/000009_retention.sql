-- roost: min_code_level 1

-- What retention looks for, oldest first, at the same cost on the first day and after a year. A BRIN keeps for each
-- stretch of pages the oldest and the newest time that ever stood there; once pages are used again it selects nothing.
-- Each index holds only what one kind of removal still has to do. All of it is built beside a working system: nobody waits,
-- and ten million rows take about a minute.

-- roost: step alone
create index concurrently inbox_full on inbox (received_at)
  where state in (2, 4) and (body is not null or body_bytes is not null);
-- roost: step alone
create index concurrently inbox_emptied on inbox (received_at)
  where state in (2, 4) and body is null and body_bytes is null;
-- roost: step alone
drop index concurrently if exists inbox_age;

-- Also what was sent in the last minute, which a new owner counts.
-- roost: step alone
create index concurrently outbox_sent_at on outbox (sent_at) where sent_at is not null;
-- roost: step alone
create index concurrently outbox_unsent on outbox (created_at) where state in (2, 3) and sent_at is null;
-- roost: step alone
drop index concurrently if exists outbox_age;
-- roost: step alone
drop index concurrently if exists outbox_sent;

-- roost: step alone
create index concurrently press_used on press (used_at);
-- roost: step alone
drop index concurrently if exists press_age;
