// The law of the house as rules; ARCHITECTURE.md tells it in words. The table below is the whole of "who may call
// whom" between domains: a domain that is not named on the right is out of reach.
const mayCall = {
  accounts: [],
  bots: ['notices', 'telegram'],
  contacts: [],
  flow: ['manifest', 'readers'],
  inbox: ['nodes'],
  jobs: [],
  ledger: [],
  manifest: [],
  miniapps: ['bots', 'inbox', 'manifest', 'projects', 'readers', 'tables'],
  nodes: [],
  notices: [],
  ops: [],
  orders: ['jobs', 'ledger'],
  outbox: ['bots', 'contacts', 'inbox', 'manifest', 'nodes', 'telegram'],
  payments: ['ledger'],
  projects: ['bots', 'flow', 'manifest', 'readers', 'tables'],
  readers: [],
  storage: [],
  tables: ['readers'],
  telegram: [],
  turns: [
    'bots',
    'contacts',
    'flow',
    'inbox',
    'jobs',
    'ledger',
    'nodes',
    'orders',
    'outbox',
    'projects',
    'readers',
    'tables',
  ],
  video: ['jobs', 'storage'],
};

/** What a pure file may stand on: schemas, and libraries that neither read the world nor keep state. */
const pureKernel = ['^kernel/echo\\.ts$', '^kernel/errors\\.ts$', '^kernel/names\\.ts$'];
const purePackages = ['node_modules/(zod|re2js|@marcbachmann/cel-js|libphonenumber-js)/'];

// What only tests use may stand beside them under these names.
const test = '(\\.test|/fixtures|/harness)\\.ts$';
const testing = [test, '^test/', '^bench/'];
const domain = (name) => `^server/domains/${name}/`;
const doors = (names) => `^server/domains/(${names.map((name) => `${name}/${name}`).join('|')})\\.ts$`;

const forbidden = [];
/** Adds a rule: `from` may not import `to`. */
const forbid = (name, comment, from, to) => forbidden.push({ name, comment, severity: 'error', from, to });

// Strata.
forbid(
  'contract-knows-zod-only',
  'contract/ is read by servers and browsers alike',
  { path: '^contract/', pathNot: test },
  { pathNot: ['^contract/', 'node_modules/zod/'] },
);
forbid(
  'kernel-knows-no-domain',
  'the kernel is what everything stands on',
  { path: '^kernel/', pathNot: test },
  { path: '^(server|simulator|cabinet|miniapp|tools|bench)/' },
);
forbid(
  'domains-know-no-process',
  'roles and commands are above the domains',
  { path: '^server/domains/', pathNot: test },
  { path: ['^server/(roles|commands)/', '^server/main\\.ts$', '^simulator/', '^tools/'] },
);
forbid(
  'roles-know-no-command',
  'commands are above the roles',
  { path: '^server/roles/', pathNot: test },
  { path: ['^server/commands/', '^server/main\\.ts$', '^tools/'] },
);
forbid(
  'simulator-stands-alone',
  'it plays Telegram, so it may share nothing with the server but the ground',
  { path: '^simulator/', pathNot: test },
  { path: ['^server/', '^cabinet/', '^miniapp/', '^tools/'] },
);
forbid(
  'simulator-has-one-door',
  'mounted by roles and commands',
  { path: '^server/', pathNot: test },
  { path: '^simulator/', pathNot: '^simulator/simulator\\.ts$' },
);
forbid(
  'server-never-sees-web',
  'browsers get their own builds; miniapp/blocks is shared on purpose',
  { path: '^(server|kernel|simulator)/', pathNot: '^simulator/page/' },
  { path: '^(cabinet/|miniapp/(?!blocks/)|simulator/page/)' },
);
forbid(
  'page-scripts-stand-alone',
  'the simulator’s page is served as it is',
  { path: '^simulator/page/' },
  { pathNot: '^simulator/page/' },
);
forbid(
  'cabinet-knows-contract-only',
  'cabinet/ speaks to the server over HTTP',
  { path: '^cabinet/', pathNot: test },
  { path: '^(server|kernel|simulator|miniapp|tools)/' },
);
forbid(
  'miniapp-knows-contract-only',
  'the runtime has five kilobytes',
  { path: '^miniapp/', pathNot: test },
  { path: '^(server|kernel|simulator|cabinet|tools)/' },
);
forbid(
  'miniapp-takes-types-only',
  'a schema in the runtime would be bytes in every visitor’s phone',
  { path: '^miniapp/', pathNot: test },
  { path: '^contract/', dependencyTypesNot: ['type-only'] },
);
forbid(
  'screens-are-strangers',
  'what two screens share belongs into cabinet/ui',
  { path: '^cabinet/screens/([^/]+)/' },
  { path: '^cabinet/screens/', pathNot: '^cabinet/screens/$1/' },
);
forbid('tests-stay-in-tests', 'product code stands without them', { pathNot: testing }, { path: testing });
forbid('tools-are-not-used', 'they are run, not imported', { pathNot: ['^tools/', ...testing] }, { path: '^tools/' });

// Doors and the rooms behind them.
for (const [name, callees] of Object.entries(mayCall)) {
  forbid(
    `${name}-calls`,
    `${name} may call ${callees.join(', ') || 'no other domain'}, through <name>/<name>.ts`,
    { path: domain(name), pathNot: test },
    { path: '^server/domains/', pathNot: [domain(name), ...(callees.length > 0 ? [doors(callees)] : [])] },
  );
}
forbid(
  'unknown-domain',
  'a new domain first gets a line in the table',
  { path: '^server/domains/([^/]+)/', pathNot: [`^server/domains/(${Object.keys(mayCall).join('|')})/`] },
  {},
);
forbid(
  'roles-use-doors',
  'roles wire doors, routes, workers and health',
  { path: '^server/roles/' },
  { path: '^server/domains/([^/]+)/', pathNot: '^server/domains/([^/]+)/(\\1|routes|worker|health)\\.ts$' },
);
forbid(
  'commands-use-doors',
  'commands call doors and health',
  { path: '^server/commands/', pathNot: test },
  { path: '^server/domains/([^/]+)/', pathNot: '^server/domains/([^/]+)/(\\1|health)\\.ts$' },
);
forbid(
  'sql-is-private',
  'every statement of a domain stands in its sql.ts, for itself alone',
  { path: '^server/domains/([^/]+)/', pathNot: test },
  { path: '^server/domains/[^/]+/sql\\.ts$', pathNot: '^server/domains/$1/' },
);
forbid(
  'sql-lives-in-sql-files',
  'only sql.ts makes statements',
  { pathNot: ['/sql\\.ts$', '^kernel/', ...testing] },
  { path: '^kernel/sql\\.ts$', dependencyTypesNot: ['type-only'] },
);

// Purity.
forbid(
  'flow-is-pure',
  'the engine decides; it reads no clock, no database, no file',
  { path: domain('flow'), pathNot: test },
  { pathNot: [domain('flow'), domain('manifest'), domain('readers'), '^contract/', ...pureKernel, ...purePackages] },
);
forbid(
  'manifest-is-pure',
  'pages are checked and compiled without a clock, a database or a file',
  { path: domain('manifest'), pathNot: test },
  { pathNot: [domain('manifest'), '^contract/', ...pureKernel, ...purePackages] },
);
forbid(
  'readers-are-pure',
  'the same words always mean the same',
  { path: domain('readers'), pathNot: test },
  { pathNot: [domain('readers'), '^contract/', ...purePackages] },
);
forbid(
  'rules-are-pure',
  'rules.ts decides; others act',
  { path: '^server/domains/[^/]+/rules\\.ts$' },
  {
    dependencyTypesNot: ['type-only'],
    pathNot: [
      '^server/domains/([^/]+)/(rules|[a-z-]+-rules)\\.ts$',
      domain('readers'),
      '^contract/',
      ...pureKernel,
      ...purePackages,
    ],
  },
);

forbid(
  'no-cycle',
  'a cycle has no bottom to begin reading at',
  {},
  { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
);
forbid('nothing-unresolvable', 'a path that leads nowhere', {}, { couldNotResolve: true });
forbid(
  'development-stays-in-development',
  'an installed server has no devDependencies',
  { path: '^(contract|kernel|server|simulator)/', pathNot: test },
  { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
);

module.exports = {
  forbidden,
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^node_modules', '^\\.cache/', '^\\.roost/', '^dist/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
    },
    tsConfig: { fileName: 'tsconfig.base.json' },
  },
};
