// The import table of docs/architecture/imports.md. `scripts/check-layers.ts` runs it and fails when it sees no modules.
const own = '^(shared|server|action)/src/';
const tests = '\\.test\\.tsx?$';

const messages = '^server/src/messages/';

/** A room, and what of our own code it may import: of the server, the messages too. Its tests are free. */
function room(name, path, allowed, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path, pathNot: tests },
    to: { path: own, pathNot: path.includes('server') ? [...allowed, messages] : allowed },
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
const failure = '^server/src/domain/';

/** The folders of the domain in one order: each may import those before it, so that no cycle can arise between two. */
function domainFolders(...folders) {
  return folders.map((folder, place) =>
    room(
      `domain-order-${folder}`,
      server(`domain/${folder}`),
      ['^server/src/domain/[^/]+$', ...folders.slice(0, place + 1).map((one) => server(`domain/${one}`))],
      'the folders of the domain have one order',
    ),
  );
}

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
    name: 'scripts-by-one-face-each',
    comment: 'a script reads its arguments; what it runs is in test/support',
    severity: 'error',
    from: { path: '^scripts/' },
    to: {
      path: '^(bench|test|shared|server|action)/',
      pathNot: [
        '^test/support/repo-checks/(citations|style|checked-texts|documented-workflows)\\.ts$',
        '^test/support/(chaos/long-chaos|fuzz/(long-fuzz|fuzz-formats)|attacks/run-attacks|soak/run-soak|mutants/run-mutants)\\.ts$',
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
    room('shared-imports-nothing', '^shared/src/', ['^shared/src/'], 'the contract stands alone'),
    room(
      'action-never-server',
      '^action/src/',
      ['^action/src/', '^shared/'],
      'the action knows the wire, not the server',
    ),
    room('messages-are-words', messages, [messages], 'values in, sentences out'),
    room('domain-is-pure', server('domain'), [server('domain')], 'no ports, no adapters'),
    {
      name: 'words-without-node',
      severity: 'error',
      from: { path: server('(domain|wording|messages)'), pathNot: tests },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    room('ports-know-the-domain', server('ports'), [server('ports'), failure], 'interfaces in domain words'),
    ...domainFolders('coverage', 'diff', 'repo', 'verdict', 'builds', 'announce', 'badge'),
    room('wording', server('wording'), [server('wording'), server('domain')], 'what is known, in words: nothing else'),
    room('facts', server('facts'), [server('facts'), failure, server('ports')], 'questions to the provider'),
    room(
      'closing',
      server('closing'),
      [server('closing'), server('facts'), failure, server('ports'), server('wording')],
      'closing a build: no adapter, no other use case',
    ),
    room(
      'use-cases-know-domain-and-ports',
      server('use-cases'),
      [server('use-cases'), server('closing'), server('facts'), failure, server('ports'), server('wording')],
      'no adapter',
    ),
    packages('use-cases-without-packages', '^server/src/(use-cases|closing|facts)/', [], 'adapters hold the packages'),
    room(
      'ingest-and-codec',
      '^server/src/(ingest|report-codec)/',
      ['^server/src/(ingest|report-codec|kernel)/', failure],
      'bytes to columns',
    ),
    room('kernel', server('kernel'), [server('kernel')], 'loops over numbers, which know nothing of the service'),
    packages(
      'ingest-packages',
      '^server/src/(ingest|report-codec)/',
      ['@fastify/busboy', 'minizlib'],
      'one multipart parser, one kept context of zstd',
    ),
    room(
      'repos-file',
      server('repos-file'),
      [
        server('repos-file'),
        failure,
        server('http/routes'),
        '^server/src/(ports/outgoing|command-line|config-values)\\.ts$',
      ],
      'a client of the API, with the forms of its settings',
    ),
    packages('repos-file-packages', server('repos-file'), ['yaml'], 'its file is YAML'),
    room(
      'transfer',
      server('transfer'),
      [server('transfer'), server('ports'), failure, server('report-codec')],
      'a repo as files and back: the commands export and import',
    ),
    packages('transfer-packages', server('transfer'), ['zod'], 'lines of a folder are hostile text'),
    room(
      'threads',
      server('threads'),
      [server('threads'), '^server/src/(ingest|report-codec|ports)/', failure],
      'what runs off the main thread',
    ),
    room(
      'store',
      server('store'),
      [server('store'), server('ports'), failure, server('report-codec')],
      'adapters know ports and domain',
    ),
    room(
      'sqlite-alone',
      server('store/sqlite'),
      [
        server('store/sqlite'),
        '^server/src/store/(commands/)?[^/]+\\.ts$',
        server('ports'),
        failure,
        server('report-codec'),
      ],
      'never another adapter',
    ),
    room(
      'mongo-alone',
      server('store/mongo'),
      [
        server('store/mongo'),
        '^server/src/store/(commands/)?[^/]+\\.ts$',
        server('ports'),
        failure,
        server('report-codec'),
      ],
      'never another adapter',
    ),
    {
      name: 'mongodb-in-its-adapter',
      comment: 'the driver is known to its adapter alone',
      severity: 'error',
      from: { path: '^(server|action|shared)/src/', pathNot: [server('store/mongo'), tests] },
      to: { path: 'node_modules/(mongodb|bson)/' },
    },
    room(
      'providers',
      server('providers'),
      [server('providers'), server('ports'), failure],
      'adapters know ports and domain',
    ),
    {
      name: 'hosts-apart',
      comment: 'one git host knows nothing of another',
      severity: 'error',
      from: { path: '^server/src/providers/([^/]+)/', pathNot: tests },
      to: { path: '^server/src/providers/', pathNot: '^server/src/providers/$1/' },
    },
    {
      name: 'hosts-by-their-face',
      comment: 'a git host has one face, which compose alone knows',
      severity: 'error',
      from: { path: own, pathNot: ['^server/src/providers/', tests] },
      to: { path: '^server/src/providers/', pathNot: '^server/src/providers/[^/]+/host\\.ts$' },
    },
    room(
      'outbox',
      '^server/src/(outbox|workers)/',
      ['^server/src/(outbox|workers|ports|wording)/', failure],
      'delivery knows ports and domain',
    ),
    room('metrics', server('metrics'), [server('metrics'), server('ports'), failure], 'what is counted and measured'),
    {
      name: 'prom-client-in-metrics',
      comment: 'the library is known to its adapter alone',
      severity: 'error',
      from: { path: '^(server|action|shared)/src/', pathNot: [server('metrics'), tests] },
      to: { path: 'node_modules/prom-client/' },
    },
    room('outgoing', server('outgoing'), [server('outgoing'), server('ports')], 'how other servers are called'),
    {
      name: 'undici-in-outgoing',
      comment: 'one place says by which proxy and with which certificates other servers are called',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [server('outgoing'), tests] },
      to: { path: '^(node:)?https$|node_modules/undici/' },
    },
    room('openid', server('openid'), [server('openid'), server('ports'), failure], 'signing in at an OpenID provider'),
    {
      name: 'openid-client-in-openid',
      comment: 'the libraries are known to their adapter alone',
      severity: 'error',
      from: { path: '^(server|action|shared)/src/', pathNot: [server('openid'), tests] },
      to: { path: 'node_modules/(openid-client|jose)/' },
    },
    room('secrets', server('secrets'), [server('secrets'), server('ports'), failure], 'keys and tokens'),
    room(
      'http',
      server('http'),
      [server('(http|use-cases|ingest|ports|web|wording)'), failure, '^shared/'],
      'the edge: use cases, presenters, pages',
    ),
    room(
      'web',
      server('web'),
      [server('web'), server('use-cases'), failure, server('wording'), '^shared/'],
      'pages show what use cases answer',
    ),
    {
      name: 'nobody-imports-the-top',
      severity: 'error',
      from: {
        path: own,
        pathNot: [
          tests,
          '^server/src/(main|compose|token|user|doctor|repos|copy-store|backup|restore)\\.ts$',
          '^server/src/compose/',
        ],
      },
      to: { path: '^server/src/(main|compose)\\.ts$|^server/src/compose/' },
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
