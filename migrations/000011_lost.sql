-- roost: min_code_level 1

-- Messages that Telegram has refused for good and that no exit of a flow has heard of, counted for a bot by the reason, so
-- that an operator is told until they have looked. `reason` is a word of ours where the chat cannot be reached (`blocked`,
-- `kicked` ...), else Telegram's words; `words` are Telegram's of the last time. A new table: nothing waits for it.
create table lost_message (
  integration_id bigint not null,
  reason text not null collate "C",
  words text not null,
  messages bigint not null,
  chat_id bigint not null,
  method text not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (integration_id, reason)
);
