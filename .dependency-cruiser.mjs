// The import table of docs/architecture/recipes.md. `scripts/check-layers.ts` runs it and fails when it sees no modules.
const own = '^(shared|server|action)/src/';
const tests = '\\.test\\.tsx?$';

/** A room, and what of our own code it may import. Its tests are free. */
function room(name, path, allowed, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path, pathNot: tests },
    to: { path: own, pathNot: allowed },
  };
}

/** A room that may use no package, or only some. */
function packages(name, path, allowed, comment) {
  const to = allowed.length === 0 ? {} : { pathNot: allowed.map((one) => `node_modules/${one}/`) };
  return {
    name,
    comment,
    severity: 'error',
    from: { path, pathNot: tests },
    to: {
      dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'unknown'],
      ...to,
    },
  };
}

const server = (folder) => `^server/src/${folder}/`;
/** What a folder shows of itself: the files that stand in it, not those of its own folders. */
const ownFiles = (folder) => `^server/src/${folder}/[^/]+$`;
const core = server('core');
/** Of what is shared with the action: types, and patterns of paths. Reading a file takes a package. */
const pureShared = '^shared/src/(coverage-file/declared|glob|history|path-patterns)\\.ts$';

/** Folders in one order: each may import those before it, so that no cycle can arise between two. */
function inOrder(name, folders, allowed, comment) {
  return folders.map((folder, place) =>
    room(
      `${name}-order-${folder.split('/').at(-1)}`,
      server(folder),
      [...allowed, ...folders.slice(0, place + 1).map(server)],
      comment,
    ),
  );
}

const FEATURES = ['access', 'closing', 'builds', 'repos', 'people', 'uploads', 'operations', 'webhooks'];
const useCases = `^server/src/(${FEATURES.join('|')})/(?!(http|pages|browser)/)`;

/** What stands around the packages: scripts and bench stand on the tests' support, and nothing stands on them. */
const around = [
  {
    name: 'sources-know-no-tests',
    severity: 'error',
    from: { path: own, pathNot: tests },
    to: { path: '^(test|scripts|bench)/' },
  },
  { name: 'tests-know-no-scripts', severity: 'error', from: { path: '^test/' }, to: { path: '^(scripts|bench)/' } },
  {
    name: 'scripts-by-one-entry-each',
    comment: 'a script reads its arguments; what it runs is in test/support',
    severity: 'error',
    from: { path: '^scripts/' },
    to: {
      path: '^(bench|test|shared|server|action)/',
      pathNot: [
        '^test/support/repo-checks/(citations|columns|checked-texts|documented-workflows|sentences)\\.ts$',
        '^test/support/(chaos/long-chaos|fuzz/(long-fuzz|fuzz-formats)|attacks/run-attacks|soak/run-soak|mutants/run-mutants|simulate/flipping|real-host/run-real-host|packages/try-release)\\.ts$',
        '^test/support/(mongod/start-mongod|github-stand-in/described)\\.ts$',
      ],
    },
  },
  {
    name: 'bench-measures-server-and-action',
    comment: 'one file of bench starts deployments with what the tests have for that',
    severity: 'error',
    from: { path: '^bench/' },
    to: { path: '^(test|scripts)/', pathNot: '^test/support/' },
  },
  {
    name: 'bench-meets-tests-in-one-file',
    severity: 'error',
    from: { path: '^bench/', pathNot: '^bench/service-deployments\\.ts$' },
    to: { path: '^test/' },
  },
];

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { pathNot: '^test/' }, to: { circular: true } },
    room('shared-imports-nothing', '^shared/src/', ['^shared/src/'], 'what both share stands alone'),
    packages('shared-packages', '^shared/src/', ['yaml'], 'the library that reads a repo’s own file'),
    room(
      'action-never-server',
      '^action/src/',
      ['^action/src/', '^shared/'],
      'the action knows the wire, not the server',
    ),

    // What is pure.
    room('core-is-pure', core, [core, pureShared], 'values in, values out'),
    ...inOrder(
      'core',
      ['coverage', 'diff', 'flipping', 'repo', 'verdict', 'builds', 'announce', 'badge'].map(
        (folder) => `core/${folder}`,
      ),
      [ownFiles('core'), pureShared],
      'the folders of the core have one order',
    ),
    room('wording', server('wording'), [server('wording'), core], 'what is known, in words: nothing else'),
    {
      name: 'words-without-node',
      severity: 'error',
      from: { path: server('(core|wording)'), pathNot: tests },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },

    // What the features stand on.
    room('ports', server('ports'), [server('ports'), core], 'interfaces in words of the core'),
    room(
      'reports',
      server('reports'),
      [server('reports'), ownFiles('platform'), core],
      'bytes in; a report, merged and read, out',
    ),
    room(
      'ingest-and-codec',
      '^server/src/reports/(ingest|codec)/',
      ['^server/src/reports/(ingest|codec|kernel)/', ownFiles('reports'), core],
      'bytes to columns',
    ),
    room(
      'kernel',
      server('reports/kernel'),
      [server('reports/kernel')],
      'loops over numbers, which know nothing of the service',
    ),
    packages(
      'ingest-packages',
      '^server/src/reports/(ingest|codec)/',
      ['@fastify/busboy', 'minizlib'],
      'one multipart parser, one kept context of zstd',
    ),
    room(
      'storage',
      server('storage'),
      [server('storage'), server('ports'), ownFiles('reports'), server('reports/codec'), ownFiles('platform'), core],
      'the stores and what moves them know no feature',
    ),
    ...['sqlite', 'mongo'].map((store) =>
      room(
        `${store}-alone`,
        server(`storage/${store}`),
        [
          server(`storage/${store}`),
          ownFiles('storage'),
          server('storage/(commands|tables)'),
          server('ports'),
          ownFiles('reports'),
          server('reports/codec'),
          ownFiles('platform'),
          core,
        ],
        'never another adapter',
      ),
    ),
    {
      name: 'stores-by-their-interface',
      comment: 'features know interfaces, not adapters',
      severity: 'error',
      from: {
        path: own,
        pathNot: [server('storage'), server('(compose|cli)'), '^server/src/(compose|main)\\.ts$', tests],
      },
      to: { path: '^server/src/storage/[^/]+/' },
    },
    {
      name: 'mongodb-in-its-adapter',
      comment: 'the driver is known to its adapter alone',
      severity: 'error',
      from: { path: own, pathNot: [server('storage/mongo'), tests] },
      to: { path: 'node_modules/(mongodb|bson)/' },
    },
    packages('transfer-packages', server('storage/transfer'), ['zod', 'tar-stream'], 'a folder is hostile text'),
    room(
      'hosts',
      server('hosts'),
      [server('hosts'), server('ports'), ownFiles('storage'), ownFiles('platform'), core],
      'git hosts know no feature',
    ),
    {
      name: 'hosts-apart',
      comment: 'one git host knows nothing of another',
      severity: 'error',
      from: { path: '^server/src/hosts/([^/]+)/', pathNot: tests },
      to: { path: '^server/src/hosts/[^/]+/', pathNot: '^server/src/hosts/($1|rest)/' },
    },
    {
      name: 'hosts-by-their-public-api',
      comment: 'a git host has one public API, which only compose knows',
      severity: 'error',
      from: { path: own, pathNot: [server('hosts'), tests] },
      to: { path: server('hosts'), pathNot: '^server/src/hosts/(facts/|[^/]+\\.ts$|[^/]+/host\\.ts$)' },
    },
    room(
      'platform',
      server('platform'),
      [
        server('(platform|ports|wording)'),
        ownFiles('storage'),
        ownFiles('reports'),
        server('reports/ingest'),
        core,
        '^shared/',
      ],
      'web, log, metrics, secrets, timers: for every feature, and knowing none',
    ),
    ...[
      ['metrics', 'prom-client'],
      ['http', 'koa|@koa/router'],
    ].map(([folder, library]) => ({
      name: `${library.split('|')[0]}-in-its-place`,
      comment: 'a library is known where it is wrapped; routes are of the edge',
      severity: 'error',
      from: { path: own, pathNot: [server(`platform/${folder}`), '/(http|browser)/', server('compose'), tests] },
      to: { path: `node_modules/(${library})/`, dependencyTypesNot: ['type-only'] },
    })),
    {
      name: 'undici-in-outgoing',
      comment: 'one place says by which proxy and with which certificates other servers are called',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [server('platform/outgoing'), tests] },
      to: { path: '^(node:)?https$|node_modules/undici/' },
    },

    room(
      'services',
      server('services'),
      [server('(services|config|ports|platform|hosts/facts)'), ownFiles('storage'), ownFiles('reports'), core],
      'what every feature is given',
    ),

    // Features, each on those before it; their use cases know no web.
    ...inOrder(
      'features',
      FEATURES,
      [
        server('(ports|wording|platform|hosts/facts|services)'),
        ownFiles('storage'),
        ownFiles('reports'),
        server('reports/ingest'),
      ].concat(core, '^shared/'),
      'the features have one order',
    ),
    {
      name: 'use-cases-know-no-web',
      severity: 'error',
      from: { path: useCases, pathNot: [server('people/openid'), tests] },
      to: { path: '^server/src/([^/]+/(http|pages|browser)/|platform/[^/]+/)|node_modules/' },
    },
    {
      name: 'openid-client-in-openid',
      comment: 'the libraries are known to their adapter alone',
      severity: 'error',
      from: { path: own, pathNot: [server('people/openid'), tests] },
      to: { path: 'node_modules/(openid-client|jose)/' },
    },
    room(
      'announcing',
      server('announcing'),
      [server('(announcing|services|ports|wording|platform/timers)'), ownFiles('storage'), ownFiles('platform'), core],
      'delivery knows what is to be said and to whom, nothing else',
    ),
    {
      name: 'nobody-imports-the-top',
      severity: 'error',
      from: {
        path: own,
        pathNot: [tests, '^server/src/(main|compose|coverage-service)\\.ts$', server('(compose|cli)')],
      },
      to: { path: '^server/src/((main|compose)\\.ts$|compose/|cli/)' },
    },
    ...around,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
