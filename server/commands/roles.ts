// The seam between commands and roles: what a command hands over, and what it gets back.
import type { FastifyPluginCallback } from 'fastify';
import type { Config, RoleName } from '../../kernel/config.ts';
import type { Kit } from '../../kernel/kit.ts';
import type { BotsDeps } from '../domains/bots/bots.ts';
import type { Installation } from './cli/installation.ts';

export type RolesDeps = {
  readonly kit: Kit;
  readonly config: Config;
  readonly version: string;
  readonly installation: Installation;
  /** Mounted beside the routes of the roles: the simulator of `start`. */
  readonly mounted?: { readonly prefix: string; readonly plugin: FastifyPluginCallback };
};

/** What runs: where it listens, and how it is ended in order. */
export type RunningRoles = {
  /** As others reach it, without a slash at its end: `http://127.0.0.1:8420`. */
  readonly address: string;
  /** The bots' dependencies of this process, its directory included. */
  readonly bots: BotsDeps;
  /** Readiness fails first, intake stops, turns in hand end, buckets are released. Twice is fine. */
  stop(): Promise<void>;
};

/** Starts these roles in this process. */
export async function startRoles(_deps: RolesDeps, _roles: readonly RoleName[]): Promise<RunningRoles> {
  throw new Error('The roles are not wired yet.');
}
