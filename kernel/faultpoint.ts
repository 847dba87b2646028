/**
 * Named moments at which the fault suite kills, freezes or delays a process. Nothing unless armed: the
 * suite arms one by the environment of the process it starts, read once here at the first use.
 */
export type FaultPointName = (typeof faultPointNames)[number];

export const faultPointNames = [
  'intake-before-commit',
  'intake-after-commit',
  'turn-before-commit',
  'turn-after-commit',
  'send-before-call',
  'send-after-call',
  'send-after-record',
  'poll-after-commit',
  'takeover-after-claim',
  'release-before-commit',
  'ack-before-call',
  'timer-after-move',
  'submit-before-commit',
  'submit-after-commit',
] as const;

type Arming = { readonly name: string; readonly after: number; readonly action: 'kill' | 'stop' };

let armed: Arming | undefined;
let passed = 0;

/** Arms one point: `name:after:action`, where `after` is how many passes are let through first. */
export function armFaultPoint(spec: string | undefined): void {
  if (!spec) return;
  const [name = '', after = '0', action = 'kill'] = spec.split(':');
  armed = { name, after: Number(after), action: action === 'stop' ? 'stop' : 'kill' };
}

/** Passes a named moment. One comparison when nothing is armed. */
export function faultPoint(name: FaultPointName): void {
  if (armed === undefined || armed.name !== name) return;
  passed += 1;
  if (passed <= armed.after) return;
  const signal = armed.action === 'kill' ? 'SIGKILL' : 'SIGSTOP';
  // Once only: a process that was frozen and woken goes on, and must not freeze at the next pass.
  armed = undefined;
  process.kill(process.pid, signal);
}
