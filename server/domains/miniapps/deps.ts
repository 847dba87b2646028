// What the routes and the work behind them are given.
import type { Db } from '../../../kernel/db.ts';
import type { Kit } from '../../../kernel/kit.ts';
import type { Apps } from './apps.ts';
import type { Assets } from './serving/assets.ts';
import type { Content } from './serving/content.ts';
import type { Pictures } from './serving/pictures.ts';
import type { RowWatch } from './serving/rows.ts';
import type { SubmissionCounter } from './submission-counts.ts';
import type { SubmitDeps } from './submissions/submit.ts';
import type { createFileSeals } from './uploads/uploads.ts';
import type { VisitorDeps } from './visitors/visitor.ts';

export type MiniappsDeps = VisitorDeps &
  Omit<SubmitDeps, 'fileAddress'> & {
    readonly kit: Kit;
    readonly db: Db;
    /** For what anybody may ask: connections of its own, so that no bot waits behind visitors. */
    readonly reads: Db;
    readonly apps: Apps;
    readonly assets: Assets;
    readonly content: Content;
    readonly pictures: Pictures;
    readonly watch: RowWatch;
    readonly submissions: SubmissionCounter;
    readonly fileSeals: ReturnType<typeof createFileSeals>;
    /** PUBLIC_URL, without a slash at its end. */
    readonly publicUrl: string | undefined;
    /** Resolves after so many milliseconds. */
    pause(ms: number): Promise<unknown>;
    /** False while the process is stopping: what is sent is asked to come again. */
    accepts(): boolean;
  };
