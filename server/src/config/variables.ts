import { LOG_FORMATS, LOG_LEVELS } from '../platform/log/logging.ts';
import { LIMIT_VARIABLES } from './limit-variables.ts';
import {
  readAdminToken,
  readAppId,
  readAppKey,
  readBaseUrl,
  readCertificates,
  readChoice,
  readContext,
  readCount,
  readDatabaseUrl,
  readDuration,
  readGroupRoles,
  readHost,
  readIssuer,
  readIssuers,
  readName,
  readNames,
  readOwners,
  readPercent,
  readPort,
  readProxy,
  readProxyTrust,
  readRepoSettings,
  readSecretKey,
  readSwitch,
  readText,
  readToken,
} from './values.ts';
import { type ConfigVariable, secret, variable } from './variable.ts';

/** Every variable. docs/configuration.md holds the same names and defaults; a test compares them. */
export const CONFIG_VARIABLES = [
  variable('PORT', readPort, '8080', 'Port to listen on; 0 picks a free one.', 'port'),
  variable('HOST', readHost, '127.0.0.1', 'Address to listen on; 0.0.0.0 or :: for all.', 'host'),
  variable(
    'BASE_URL',
    readBaseUrl,
    undefined,
    'The address that people and CI use; may hold a path. Unset: http://HOST:PORT.',
    'baseUrl',
  ),
  variable(
    'TRUST_PROXY',
    readProxyTrust,
    'none',
    'Whose X-Forwarded-For counts: none, addresses and networks (loopback too), or how many proxies there are.',
    'trustProxy',
  ),
  variable(
    'STOP_NOTICE_PERIOD',
    readDuration({ min: 0 }),
    '5s',
    'How long a server still takes requests after SIGTERM, while /readyz answers 503.',
    'stopNotice',
  ),
  {
    ...secret(
      'HTTPS_PROXY',
      readProxy,
      undefined,
      'The proxy by which https addresses are called, such as http://proxy.example:3128. Unset: HTTP_PROXY.',
    ),
    anyCase: true,
  },
  {
    ...secret('HTTP_PROXY', readProxy, undefined, 'The proxy by which http addresses are called. Unset: none.'),
    anyCase: true,
  },
  {
    ...variable(
      'NO_PROXY',
      readText,
      undefined,
      'Hosts that are called without a proxy, with what is below them, separated by commas: ' +
        'localhost,.inside.example; * for all.',
    ),
    anyCase: true,
  },
  {
    ...variable(
      'CA_FILE',
      readCertificates,
      undefined,
      'A file of certificates (PEM) of authorities that are trusted beside the usual ones.',
    ),
    isPath: true,
  },
  secret(
    'SECRET_KEY',
    readSecretKey,
    undefined,
    'Encrypts stored repo tokens: 64 hexadecimal or 44 base64 characters. ' +
      'Unset on SQLite: a key file beside the database.',
    'secretKey',
  ),
  secret(
    'SECRET_KEY_PREVIOUS',
    readSecretKey,
    undefined,
    'The key before, for the one start after a change of SECRET_KEY.',
    'previousSecretKey',
  ),
  secret(
    'DATABASE_URL',
    readDatabaseUrl,
    'sqlite:./data/coverage.db',
    'Where everything is stored: sqlite:<path>, sqlite::memory:, or mongodb://<hosts>/<database> (mongodb+srv:// too).',
    'databaseUrl',
  ),
  secret(
    'ADMIN_TOKEN',
    readAdminToken,
    undefined,
    'Works like the personal token of an administrator; at least 32 characters.',
    'adminToken',
  ),
  variable(
    'GITHUB_URL',
    readBaseUrl,
    undefined,
    "GitHub's address for people, such as https://github.example: API, links, sign-in and the issuer of workflows' " +
      'tokens follow from it. Unset: https://github.com.',
    'githubUrl',
  ),
  variable(
    'GITHUB_API_URL',
    readBaseUrl,
    undefined,
    "GitHub's REST API, where it is not what GITHUB_URL gives: https://api.github.com, or <GITHUB_URL>/api/v3.",
    'githubApiUrl',
  ),
  secret(
    'GITHUB_TOKEN',
    readToken,
    undefined,
    'Announces statuses and comments on GitHub. Unset, and no GitHub App set: nothing is announced there.',
    'githubToken',
  ),
  variable(
    'GITHUB_APP_ID',
    readAppId,
    undefined,
    'The number of the GitHub App that announces in place of GITHUB_TOKEN.',
  ),
  secret(
    'GITHUB_APP_PRIVATE_KEY',
    readAppKey,
    undefined,
    "That App's private key, as the .pem file that GitHub made holds it.",
  ),
  secret(
    'GITHUB_WEBHOOK_SECRET',
    readToken,
    undefined,
    "The secret of GitHub's webhook, which signs what is sent to /hooks/github. Unset: none is taken.",
    'githubWebhookSecret',
  ),
  variable(
    'GITHUB_APP_CLIENT_ID',
    readName,
    undefined,
    'The client ID of a GitHub App by which people sign in with GitHub. Unset: nobody does.',
  ),
  secret('GITHUB_APP_CLIENT_SECRET', readToken, undefined, 'A client secret of that App.'),
  variable(
    'GITHUB_OIDC_ISSUERS',
    readIssuers,
    undefined,
    'Issuers whose id-tokens workflows may upload with, separated by commas; none: none is taken. ' +
      'Unset: that of GITHUB_API_URL.',
  ),
  variable(
    'GITHUB_WRITES_PER_SECOND',
    readCount({ max: 100 }),
    '10',
    'How many statuses, comments and check runs are sent to GitHub in a second, at most.',
    'githubWritesPerSecond',
  ),
  variable(
    'GITLAB_URL',
    readBaseUrl,
    undefined,
    "GitLab's address for people, with its path if it has one. Unset: https://gitlab.com, where any other is set.",
  ),
  secret(
    'GITLAB_TOKEN',
    readToken,
    undefined,
    'Announces statuses and notes on GitLab: an access token with the scope api. Unset: nothing is announced there.',
  ),
  secret(
    'GITLAB_WEBHOOK_SECRET',
    readToken,
    undefined,
    "The secret token, or signing token, of GitLab's webhooks to /hooks/gitlab. Unset: none is taken.",
  ),
  variable(
    'GITLAB_CLIENT_ID',
    readName,
    undefined,
    'The ID of an application of GitLab by which people sign in. Unset: nobody does.',
  ),
  secret('GITLAB_CLIENT_SECRET', readToken, undefined, 'The secret of that application.'),
  variable(
    'GITEA_URL',
    readBaseUrl,
    undefined,
    "Gitea's address for people, with its path if it has one. Unset: there is none.",
  ),
  secret(
    'GITEA_TOKEN',
    readToken,
    undefined,
    'Announces statuses and comments on Gitea: an access token with write:repository, write:issue and read:user. ' +
      'Unset: nothing is announced there.',
  ),
  secret(
    'GITEA_WEBHOOK_SECRET',
    readToken,
    undefined,
    "The secret of Gitea's webhooks to /hooks/gitea. Unset: none is taken.",
  ),
  variable(
    'GITEA_CLIENT_ID',
    readName,
    undefined,
    'The client ID of an OAuth2 application of Gitea by which people sign in. Unset: nobody does.',
  ),
  secret('GITEA_CLIENT_SECRET', readToken, undefined, 'The secret of that application.'),
  variable(
    'FORGEJO_URL',
    readBaseUrl,
    undefined,
    "Forgejo's address for people, with its path if it has one. Unset: there is none.",
  ),
  secret(
    'FORGEJO_TOKEN',
    readToken,
    undefined,
    'Announces statuses and comments on Forgejo: an access token with write:repository, write:issue and read:user. ' +
      'Unset: nothing is announced there.',
  ),
  secret(
    'FORGEJO_WEBHOOK_SECRET',
    readToken,
    undefined,
    "The secret of Forgejo's webhooks to /hooks/forgejo. Unset: none is taken.",
  ),
  variable(
    'FORGEJO_CLIENT_ID',
    readName,
    undefined,
    'The client ID of an OAuth2 application of Forgejo by which people sign in. Unset: nobody does.',
  ),
  secret('FORGEJO_CLIENT_SECRET', readToken, undefined, 'The secret of that application.'),
  variable(
    'BITBUCKET_URL',
    readBaseUrl,
    undefined,
    "Bitbucket Cloud's address for people. Unset: https://bitbucket.org, where any other is set.",
  ),
  variable(
    'BITBUCKET_API_URL',
    readBaseUrl,
    undefined,
    "The address of Bitbucket Cloud's API, with its version. Unset: https://api.bitbucket.org/2.0.",
  ),
  secret(
    'BITBUCKET_TOKEN',
    readToken,
    undefined,
    'Announces on Bitbucket Cloud: an access token, or an API token as e-mail:token. ' +
      'Unset: nothing is announced there.',
  ),
  secret(
    'BITBUCKET_WEBHOOK_SECRET',
    readToken,
    undefined,
    "The secret of Bitbucket Cloud's webhooks to /hooks/bitbucket. Unset: none is taken.",
  ),
  variable(
    'BITBUCKET_CLIENT_ID',
    readName,
    undefined,
    'The key of an OAuth consumer of Bitbucket Cloud by which people sign in. Unset: nobody does.',
  ),
  secret('BITBUCKET_CLIENT_SECRET', readToken, undefined, 'The secret of that consumer.'),
  variable(
    'BITBUCKET_SERVER_URL',
    readBaseUrl,
    undefined,
    'The address of your Bitbucket Data Center, with its path if it has one. Unset: there is none.',
  ),
  secret(
    'BITBUCKET_SERVER_TOKEN',
    readToken,
    undefined,
    'Announces on Bitbucket Data Center: an HTTP access token that may read. Unset: nothing is announced there.',
  ),
  secret(
    'BITBUCKET_SERVER_WEBHOOK_SECRET',
    readToken,
    undefined,
    "The secret of Bitbucket Data Center's webhooks to /hooks/stash. Unset: none is taken.",
  ),
  variable(
    'BITBUCKET_SERVER_CLIENT_ID',
    readName,
    undefined,
    'The client ID of an incoming link of Bitbucket Data Center by which people sign in. Unset: nobody does.',
  ),
  secret('BITBUCKET_SERVER_CLIENT_SECRET', readToken, undefined, 'The client secret of that link.'),
  variable(
    'STATUS_CONTEXT',
    readContext,
    'coverage',
    'Name of the commit status; flags and patch are appended to it.',
    'statusContext',
  ),
  variable(
    'ALLOWED_OWNERS',
    readOwners,
    undefined,
    'Owners whose repos are made by their first upload with a GitHub token or an id-token: acme or github/acme, ' +
      'separated by commas. Unset: none.',
  ),
  variable(
    'DEFAULT_REPO_SETTINGS',
    readRepoSettings,
    undefined,
    'Settings of repos made so: a JSON object of the fields that the repos API takes.',
  ),
  variable(
    'BUILD_QUIET_PERIOD',
    readDuration({ min: 1 }),
    '30m',
    'A parallel build that nobody closes is closed this long after its last job.',
    'quietPeriod',
  ),
  variable(
    'LATE_JOB_PERIOD',
    readDuration({ min: 0 }),
    '60s',
    'A build that a late job re-opened is closed this long after its last one.',
    'latePeriod',
  ),
  variable(
    'MIN_TOTAL',
    readPercent,
    undefined,
    'The least total of every build, in percent, whatever its repo and its coverage.yml say.',
  ),
  variable('MIN_CHANGES', readPercent, undefined, 'The same for changed lines.'),
  variable(
    'REQUIRE_SIGN_IN',
    readSwitch,
    'true',
    "Whether a repo is private where nobody said otherwise; false: as its provider's.",
    'requireSignIn',
  ),
  variable(
    'LOCAL_ACCOUNTS',
    readSwitch,
    'true',
    'Whether people may sign in with a password of this server, which `npm run user` gives them.',
    'localAccounts',
  ),
  variable(
    'OIDC_ISSUER',
    readIssuer,
    undefined,
    'An OpenID provider that people sign in at, by its issuer, such as https://id.example. Unset: none.',
  ),
  variable('OIDC_CLIENT_ID', readName, undefined, 'This server’s client ID at that provider.'),
  secret('OIDC_CLIENT_SECRET', readToken, undefined, 'Its client secret.'),
  variable('OIDC_NAME', readName, 'single sign-on', 'What that provider is called on the sign-in page.'),
  variable('OIDC_SCOPES', readName, 'openid profile email', 'What is asked of it; some need one more for groups.'),
  variable(
    'OIDC_PROMPT',
    readName,
    undefined,
    'The prompt parameter of a sign-in there; consent, if it gives a refresh token only then. Unset: none is sent.',
  ),
  variable(
    'OIDC_GROUPS_MAX_AGE',
    readDuration({ min: 1_000 }),
    '12h',
    'How long groups count after the provider named them; it is asked again before, if it offers offline_access.',
  ),
  variable('OIDC_GROUPS_CLAIM', readName, 'groups', 'The claim that lists somebody’s groups.'),
  variable(
    'OIDC_ALLOWED_DOMAINS',
    readNames,
    undefined,
    'Who may sign in: domains of e-mail addresses that the provider has verified, separated by commas; * for all.',
  ),
  variable('OIDC_ALLOWED_GROUPS', readNames, undefined, 'Who may sign in too: groups, separated by commas.'),
  variable('OIDC_ADMIN_GROUP', readName, undefined, 'The group whose people are administrators of this server.'),
  variable(
    'OIDC_GROUP_ROLES',
    readGroupRoles,
    undefined,
    'What groups may do: <group>=<service>/<owner>/<name>:<reader or maintainer>, separated by commas; * ends a name.',
  ),
  ...LIMIT_VARIABLES,
  variable(
    'WORKER_THREADS',
    readCount({ max: 256 }),
    undefined,
    "Threads that read and merge reports. Unset: one less than the machine's processors.",
    'workerThreads',
  ),
  secret(
    'METRICS_TOKEN',
    readAdminToken,
    undefined,
    'Reads GET /metrics on PORT, and nothing else; at least 32 characters. Unset: administrators alone read it there.',
    'metricsToken',
  ),
  variable(
    'METRICS_PORT',
    readPort,
    undefined,
    'Port that serves GET /metrics without a token; 0 picks a free one. Unset: /metrics of PORT alone.',
    'metricsPort',
  ),
  variable('METRICS_HOST', readHost, '127.0.0.1', 'Address that METRICS_PORT listens on.', 'metricsHost'),
  variable(
    'LOG_LEVEL',
    readChoice(LOG_LEVELS),
    'info',
    `Least important lines that are logged: ${LOG_LEVELS.join(', ')}.`,
    'logLevel',
  ),
  variable(
    'LOG_FORMAT',
    readChoice(LOG_FORMATS),
    undefined,
    'How the log is written. json: a line is an object; pretty: text. Unset: pretty at a terminal, else json.',
    'logFormat',
  ),
] as const satisfies readonly ConfigVariable[];

type Variable = (typeof CONFIG_VARIABLES)[number];

/** What the variables hold: undefined where one is not set and has no default. */
export type Settings = {
  readonly [One in Variable as One['name']]: ReturnType<One['read']> | Extract<One['default'], undefined>;
};

type Keyed = Extract<Variable, { readonly key: string }>;
/** Those that Config has as they are. */
export type PlainSettings = { readonly [One in Keyed as One['key']]: Settings[One['name']] };

export const plainSettings = (settings: Settings): PlainSettings =>
  Object.fromEntries(
    CONFIG_VARIABLES.flatMap(({ name, key }) => (key === undefined ? [] : [[key, settings[name]]])),
  ) as unknown as PlainSettings;
