// Whose each table is: only its owner's statements write it.

export type TableOwner = {
  /** The domain, or `kernel`. */
  readonly owner: string;
  /**
   * For tables that grow with what people do: the column that distributes them, first in their primary key, so that they can be
   * partitioned, or spread over several servers. A sentence instead says why a table has none.
   */
  readonly distributedBy?: 'integration_id' | 'project_id' | { readonly none: string };
  /** Columns that another domain writes, in rows that it does not make: the domain, its columns, and why they stand here. */
  readonly columnsOf?: Readonly<Record<string, { readonly columns: readonly string[]; readonly why: string }>>;
  /** Other domains that read it in their own statements, and why a door would not do. */
  readonly readBy?: Readonly<Record<string, string>>;
};

const whatBotsAre = 'A bot and its project are one row to whoever asks; two statements could see two states.';

export const tableOwners: Readonly<Record<string, TableOwner>> = {
  installation: { owner: 'kernel' },
  node: {
    owner: 'nodes',
    readBy: {
      inbox: 'The receiver fence stands inside the statement that stores updates.',
      ops: 'Who runs, with how many buckets, in one look.',
    },
  },
  bucket: { owner: 'nodes', readBy: { ops: 'Who runs, with how many buckets, in one look.' } },
  notice: { owner: 'notices' },

  project: {
    owner: 'projects',
    columnsOf: {
      bots: {
        columns: ['data_key', 'menu_text', 'menu_commands'],
        why: 'What all bots of a project share: the key of their secrets, and what their menus say.',
      },
    },
    readBy: {
      bots: whatBotsAre,
      ops: whatBotsAre,
      miniapps: 'A page is asked for by its project, in the statement that finds its site and release.',
    },
  },
  release: {
    owner: 'projects',
    readBy: { miniapps: 'A page is asked for by its project, in the statement that finds its site and release.' },
  },
  media: { owner: 'projects', distributedBy: 'project_id' },

  integration: { owner: 'bots', readBy: { ops: 'Bots are counted by state on the status page.' } },
  webhook_watch: { owner: 'bots' },

  inbox: {
    owner: 'inbox',
    distributedBy: 'integration_id',
    readBy: { turns: 'A press is compared with the update that brought it.' },
  },
  contact: {
    owner: 'contacts',
    distributedBy: 'integration_id',
    readBy: { turns: 'Timers of a group follow it to its new id in the statement that moves them.' },
  },
  conversation: { owner: 'contacts', distributedBy: 'integration_id' },
  bot_memory: { owner: 'contacts', distributedBy: 'integration_id' },
  timer: { owner: 'turns', distributedBy: 'integration_id' },
  press: { owner: 'turns', distributedBy: 'integration_id' },
  outbox: { owner: 'outbox', distributedBy: 'integration_id' },
  park: { owner: 'outbox', distributedBy: 'integration_id', readBy: { ops: 'Parks are counted on the status page.' } },
  uploaded_file: { owner: 'outbox', distributedBy: 'integration_id' },
  lost_message: { owner: 'outbox', distributedBy: 'integration_id' },

  record_table: { owner: 'tables', distributedBy: 'project_id' },
  record: { owner: 'tables', distributedBy: 'project_id' },
  record_claim: { owner: 'tables', distributedBy: 'project_id' },

  site: { owner: 'miniapps' },
  app_visitor: { owner: 'miniapps', distributedBy: 'project_id' },
  lead_count: { owner: 'miniapps', distributedBy: 'project_id' },
  lead: { owner: 'miniapps', distributedBy: { none: 'Its lines and uploads name it by its id alone.' } },
  order_line: { owner: 'miniapps', distributedBy: { none: 'It stands with its lead.' } },
  booking_cell: { owner: 'miniapps', distributedBy: 'project_id' },
  upload: { owner: 'miniapps', distributedBy: { none: 'A visitor is given its id before there is a lead.' } },
};
