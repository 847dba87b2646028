-- roost: min_code_level 1

-- Both are columns without a default, so that only the catalog changes: no row is read or written.

-- The lists of commands that the project's bots show, each with its scope and language (bots/command-rules.ts); null: the
-- running release describes none.
alter table project add column menu_commands jsonb;

-- By list: the hash of what Telegram was told last, and how often somebody else's list was replaced by ours. They are
-- looked at with the menu button (menu_due).
alter table integration add column commands_told jsonb;
