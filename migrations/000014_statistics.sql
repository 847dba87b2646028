-- roost: min_code_level 1

-- The queues change from one look of autovacuum to the next, so each look also takes a sample for the planner: of 30,000
-- rows, 0.3 s of a core and three times as long as the vacuum itself, while people wait for its locks and the processor.
-- The plans of the queues need no more than 3,000.
alter table inbox
  alter column integration_id set statistics 10,
  alter column key set statistics 10,
  alter column bucket set statistics 10,
  alter column lane set statistics 10,
  alter column seq set statistics 10,
  alter column body set statistics 10,
  alter column body_bytes set statistics 10,
  alter column received_at set statistics 10,
  alter column state set statistics 10,
  alter column attempts set statistics 10,
  alter column available_at set statistics 10,
  alter column done_at set statistics 10,
  alter column trace set statistics 10,
  alter column error set statistics 10;
alter table outbox
  alter column integration_id set statistics 10,
  alter column key set statistics 10,
  alter column bucket set statistics 10,
  alter column id set statistics 10,
  alter column chat_id set statistics 10,
  alter column class set statistics 10,
  alter column method set statistics 10,
  alter column params set statistics 10,
  alter column target set statistics 10,
  alter column report set statistics 10,
  alter column state set statistics 10,
  alter column owner_token set statistics 10,
  alter column tries set statistics 10,
  alter column doubts set statistics 10,
  alter column available_at set statistics 10,
  alter column created_at set statistics 10,
  alter column sent_at set statistics 10,
  alter column message_id set statistics 10,
  alter column error set statistics 10,
  alter column seen_at set statistics 10;
