// What the press of a button means: which button it is, and whether it was pressed before.
import type { Db } from '../../../kernel/db.ts';
import { isDatabaseFault } from '../../../kernel/errors.ts';
import { buttonInfo, type CompiledRelease, type FlowEvent } from '../flow/flow.ts';
import { findButton, isOnMessage } from './presses.ts';
import { findPresses } from './sql.ts';
import type { OpenedTurn, ReadyTurn } from './stages.ts';

export type Releases = { get(projectId: number, number: number): CompiledRelease | Promise<CompiledRelease> };

/** Which tokens among these were pressed before, by `tokenName`. */
export async function usedPresses(db: Db, turns: readonly OpenedTurn[]): Promise<Set<string>> {
  const presses = turns.flatMap(({ bot, press }) => (press ? [{ integrationId: bot.id, token: press.token }] : []));
  if (presses.length === 0) return new Set();
  const rows = await findPresses(db, presses);
  return new Set(rows.map((row) => tokenName(row.integration_id, row.token)));
}

const tokenName = (integrationId: number, token: string): string => `${integrationId} ${token}`;

/**
 * Fills in what a press means. `asked` is the key of the question that the conversation waits for: a button hangs on that
 * message or on another one. A button that may be pressed once is `singleUse`, and counts as used for later turns of the
 * same batch.
 */
export async function resolvePress(
  releases: Releases,
  turn: ReadyTurn,
  asked: string,
  used: Set<string>,
): Promise<{ event: FlowEvent; singleUse: boolean }> {
  const { bot, press, event } = turn;
  if (event.kind !== 'button' || !('press' in event) || !event.press) return { event, singleUse: false };
  const maker = press && (await makerOf(releases, bot.project.id, press.opened.releaseNumber));
  const button = press && maker && findButton(maker, press.opened.button);
  if (!press || !maker || !button)
    return { event: { ...event, press: { ...event.press, use: 'foreign' } }, singleUse: false };
  const name = tokenName(bot.id, press.token);
  const use = used.has(name) ? 'again' : 'first';
  const source = isOnMessage(press.opened, asked) ? asked : press.opened.message;
  const singleUse = buttonInfo(maker, button.block, button.button)?.repeats === false;
  if (singleUse) used.add(name);
  return { event: { ...event, press: { ...event.press, ...button, use, source } }, singleUse };
}

/** The release that made a button; one that does not exist makes the button foreign. */
async function makerOf(releases: Releases, projectId: number, number: number): Promise<CompiledRelease | undefined> {
  try {
    return await releases.get(projectId, number);
  } catch (error) {
    if (isDatabaseFault(error)) throw error;
    return undefined;
  }
}
