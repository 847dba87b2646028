import type { Bench } from '../lib/bench.ts';
import { abuse } from './abuse.ts';
import { cpu } from './cpu.ts';
import { crash } from './crash.ts';
import { drain } from './drain.ts';
import { fair } from './fair.ts';
import { firsts } from './firsts.ts';
import { history } from './history.ts';
import { idle } from './idle.ts';
import { intake } from './intake.ts';
import { latency } from './latency.ts';
import { many } from './many.ts';
import { miniapp } from './miniapp.ts';
import { onebot } from './onebot.ts';
import { spike } from './spike.ts';
import { steady } from './steady.ts';
import { tables } from './tables.ts';

/** Every claim that is measured, by the name it is called with. */
export const benches: Readonly<Record<string, Bench>> = {
  intake,
  latency,
  spike,
  onebot,
  drain,
  steady,
  cpu,
  crash,
  idle,
  many,
  fair,
  history,
  firsts,
  abuse,
  miniapp,
  tables,
};
