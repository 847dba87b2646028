// Every command, in the order in which help shows them.

import { appDomain } from './app/domain.ts';
import { appList } from './app/list.ts';
import { appShow } from './app/show.ts';
import { appSlug } from './app/slug.ts';
import { botConnect } from './bot/connect.ts';
import { botDisconnect } from './bot/disconnect.ts';
import { botList } from './bot/list.ts';
import { botPause } from './bot/pause.ts';
import { botResume } from './bot/resume.ts';
import { botRotate } from './bot/rotate.ts';
import { botShow } from './bot/show.ts';
import type { Command } from './cli/command.ts';
import { deadDrop } from './dead/drop.ts';
import { deadList } from './dead/list.ts';
import { deadRetry } from './dead/retry.ts';
import { deadShow } from './dead/show.ts';
import { installationClaim } from './installation/claim.ts';
import { installationShow } from './installation/show.ts';
import { keysLost } from './keys/lost.ts';
import { leadCancel } from './lead/cancel.ts';
import { leadExport } from './lead/export.ts';
import { leadList } from './lead/list.ts';
import { lostList } from './lost/list.ts';
import { lostSeen } from './lost/seen.ts';
import { migrateCommand } from './migrate.ts';
import { projectCreate } from './project/create.ts';
import { projectExport } from './project/export.ts';
import { projectImport } from './project/import.ts';
import { projectList } from './project/list.ts';
import { projectPause } from './project/pause.ts';
import { projectPublish } from './project/publish.ts';
import { projectReleases } from './project/releases.ts';
import { projectResume } from './project/resume.ts';
import { projectRollback } from './project/rollback.ts';
import { queue } from './queue.ts';
import { serve } from './serve.ts';
import { simulator } from './simulator.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { tableExport } from './table/export.ts';
import { tableImport } from './table/import.ts';
import { tableList } from './table/list.ts';
import { unknownList } from './unknown/list.ts';
import { unknownSeen } from './unknown/seen.ts';

export const commands: readonly Command[] = [
  start,
  serve,
  simulator,
  migrateCommand,
  installationShow,
  installationClaim,
  keysLost,
  projectList,
  projectCreate,
  projectImport,
  projectPublish,
  projectReleases,
  projectRollback,
  projectExport,
  projectPause,
  projectResume,
  tableList,
  tableExport,
  tableImport,
  appList,
  appShow,
  appSlug,
  appDomain,
  leadList,
  leadExport,
  leadCancel,
  botList,
  botConnect,
  botShow,
  botRotate,
  botPause,
  botResume,
  botDisconnect,
  status,
  queue,
  deadList,
  deadShow,
  deadRetry,
  deadDrop,
  unknownList,
  unknownSeen,
  lostList,
  lostSeen,
];
