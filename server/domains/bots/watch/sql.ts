// Statements of the webhook watch and of polling. They leave `rev` alone: other processes need not hear of this.
import type { Queryable } from '../../../../kernel/db.ts';
import { sql } from '../../../../kernel/sql.ts';
import type { CommandList, ToldCommands } from '../command-rules.ts';
import type { BotRow, WebhookFacts } from '../sql.ts';

export const recordCheck = (
  q: Queryable,
  bot: { id: number; facts: WebhookFacts; lostCount: number; problem: string | null },
) =>
  q.run(sql`
    update integration set webhook_checked_at = now(), webhook_problem = ${bot.problem}, webhook_lost_count = ${bot.lostCount},
      pending_count = ${bot.facts.pending}, delivery_error = ${bot.facts.error}, delivery_error_at = ${bot.facts.errorAt}
    where id = ${bot.id}`);

/** Not now: the row waits, whether it was to be set or only looked at. */
export const postpone = (q: Queryable, bot: { id: number; seconds: number; problem: string | null }) =>
  q.run(sql`
    update integration set webhook_checked_at = now(), webhook_retry_at = now() + make_interval(secs => ${bot.seconds}),
      webhook_tries = least(webhook_tries + 1, 1000), webhook_problem = coalesce(${bot.problem}, webhook_problem)
    where id = ${bot.id}`);

export const clearWebhook = (q: Queryable, id: number) =>
  q.run(sql`update integration set webhook_url = null, webhook_set_at = null where id = ${id}`);

/** True for one process at a time, for `seconds` from now. */
export const takeWatch = async (q: Queryable, owner: string, seconds: number) =>
  (await q.run(sql`
    update webhook_watch set owner = ${owner}, lease_until = now() + make_interval(secs => ${seconds})
    where owner = ${owner} or lease_until < now()`)) === 1;

export const leaveWatch = (q: Queryable, owner: string) =>
  q.run(sql`update webhook_watch set lease_until = '-infinity' where owner = ${owner}`);

/** Bots whose webhook stands at another base than it should are to be set anew (PUBLIC_URL has changed). */
export const unsetMoved = (q: Queryable, publicUrl: string | null) =>
  q.run(sql`
    update integration set webhook_set_at = null, webhook_retry_at = null
    where status in ('active', 'paused') and webhook_set_at is not null and coalesce(webhook_base, ${publicUrl}) is not null
      and webhook_url is distinct from coalesce(webhook_base, ${publicUrl}) || '/v1/telegram/webhooks/' || public_id`);

export type DueRow = BotRow & { due: 'unset' | 'abandoned' | 'oldest' };

/**
 * The one bot to attend to: first what is to be set, then what was looked at longest ago. Both ends of an index,
 * so ten thousand bots cost what ten cost.
 */
export const nextDue = (
  q: Queryable,
  due: { publicUrl: string | null; checkSeconds: number; abandonedSeconds: number },
) =>
  q.one<DueRow>(sql`
    with next as (
      (select i.id, case when i.status = 'connecting' then 'abandoned' else 'unset' end as due, 0 as turn
        from integration i
        where i.webhook_set_at is null and i.status in ('connecting', 'active', 'paused')
          and (i.webhook_retry_at is null or i.webhook_retry_at <= now())
          and (case when i.status = 'connecting' then i.created_at < now() - make_interval(secs => ${due.abandonedSeconds})
            else coalesce(i.webhook_base, ${due.publicUrl}) is not null end)
        order by i.webhook_retry_at nulls first limit 1)
      union all
      (select i.id, 'oldest', 1
        from integration i
        where i.webhook_set_at is not null and i.status in ('active', 'paused')
          and (i.webhook_checked_at is null or i.webhook_checked_at < now() - make_interval(secs => ${due.checkSeconds}))
          and coalesce(i.webhook_base, ${due.publicUrl}) is not null
        order by i.webhook_checked_at nulls first limit 1)
      order by turn limit 1
    )
    select i.*, next.due, p.public_id as project_public_id, p.name as project_name, p.data_key
    from next join integration i on i.id = next.id join project p on p.id = i.project_id`);

// ---- the menu: its button and its commands

export type MenuRow = BotRow & {
  menu_text: string | null;
  menu_replaced: number;
  menu_commands: CommandList[] | null;
};

/** The menu that was to be looked at longest ago. */
export const nextMenu = (q: Queryable) =>
  q.one<MenuRow>(sql`
    select i.*, p.public_id as project_public_id, p.name as project_name, p.data_key, p.menu_text, p.menu_commands
    from integration i join project p on p.id = i.project_id
    where i.menu_due and i.status in ('active', 'paused') and (i.menu_retry_at is null or i.menu_retry_at <= now())
    order by i.menu_retry_at nulls first limit 1`);

/** What Telegram knows now. It stays due where it is to be tried again, or the project wants something else by now. */
export const recordMenu = (
  q: Queryable,
  menu: {
    id: number;
    text: string | null;
    commands: CommandList[] | null;
    told: string | null;
    replaced: number;
    commandsTold: ToldCommands;
    again: boolean;
    seconds: number | null;
  },
) =>
  q.run(sql`
    with wanted as (
      select id, menu_text is distinct from ${menu.text}
        or menu_commands is distinct from ${menu.commands === null ? null : JSON.stringify(menu.commands)}::jsonb as changed
      from project
    )
    update integration i set menu_told = ${menu.told}, menu_replaced = ${menu.replaced},
      commands_told = ${JSON.stringify(menu.commandsTold)}::jsonb, menu_due = ${menu.again} or wanted.changed,
      menu_retry_at = case when not wanted.changed then now() + make_interval(secs => ${menu.seconds}) end
    from wanted where wanted.id = i.project_id and i.id = ${menu.id} and i.status <> 'disconnected'`);

export const postponeMenu = (q: Queryable, menu: { id: number; seconds: number; due: boolean }) =>
  q.run(sql`
    update integration set menu_due = ${menu.due}, menu_retry_at = now() + make_interval(secs => ${menu.seconds})
    where id = ${menu.id}`);

/** Every menu button of ours is looked at again: the address of this server may be another one. */
export const recallMenus = (q: Queryable) =>
  q.run(sql`
    update integration i set menu_due = true from project p
    where p.id = i.project_id and not i.menu_due and (i.menu_told is not null or p.menu_text is not null)`);

// ---- polling

export const readOffsets = (q: Queryable, ids: readonly number[]) =>
  q.many<{ id: number; poll_offset: number }>(
    sql`select id, poll_offset from integration where id = any(${ids}::bigint[])`,
  );

export const moveOffset = (q: Queryable, id: number, offset: number) =>
  q.run(sql`update integration set poll_offset = ${offset} where id = ${id}`);

/** Those of them that are disconnected. */
export const disconnectedAmong = async (q: Queryable, ids: readonly number[]): Promise<number[]> => {
  if (ids.length === 0) return [];
  const rows = await q.many<{ id: number }>(
    sql`select id from integration where id = any(${ids}::bigint[]) and status = 'disconnected'`,
  );
  return rows.map((row) => row.id);
};
