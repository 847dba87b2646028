// Goes on at another place.

import { exitMove, type MakeRunner } from '../runner.ts';

export const makeJump: MakeRunner<'jump'> = () => ({ run: () => exitMove('to') });
