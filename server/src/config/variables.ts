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
    'The address that people and CI use, with its path if it has one. Unset: http://HOST:PORT.',
    'baseUrl',
  ),
  variable(
    'TRUST_PROXY',
    readProxyTrust,
    'none',
    'Proxies whose X-Forwarded-For is trusted: none, addresses and networks (loopback too), or how many there are.',
    'trustProxy',
  ),
  variable(
    'STOP_NOTICE_PERIOD',
    readDuration({ min: 0 }),
    '5s',
    'How long a server accepts requests after SIGTERM, while /readyz answers 503.',
    'stopNotice',
  ),
  {
    ...secret(
      'HTTPS_PROXY',
      readProxy,
      undefined,
      'The proxy for https addresses, such as http://proxy.example:3128. Unset: HTTP_PROXY.',
    ),
    anyCase: true,
  },
  {
    ...secret('HTTP_PROXY', readProxy, undefined, 'The proxy for http addresses.'),
    anyCase: true,
  },
  {
    ...variable(
      'NO_PROXY',
      readText,
      undefined,
      'Hosts to call without a proxy, and their subdomains, separated by commas: localhost,.inside.example; * for all.',
    ),
    anyCase: true,
  },
  {
    ...variable('CA_FILE', readCertificates, undefined, 'A PEM file of additional certificate authorities to trust.'),
    isPath: true,
  },
  secret(
    'SECRET_KEY',
    readSecretKey,
    undefined,
    'Encrypts stored repo tokens: 64 hexadecimal or 44 base64 characters. Unset on SQLite: a key file beside the ' +
      'database.',
    'secretKey',
  ),
  secret(
    'SECRET_KEY_PREVIOUS',
    readSecretKey,
    undefined,
    'The previous key, for one start after SECRET_KEY changes.',
    'previousSecretKey',
  ),
  secret(
    'DATABASE_URL',
    readDatabaseUrl,
    'sqlite:./data/coverage.db',
    'The database: sqlite:<path>, sqlite::memory:, or mongodb://<hosts>/<database> (mongodb+srv:// too).',
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
    "GitHub's address, such as https://github.example. API, links, sign-in and the issuer of ID tokens follow from " +
      'it. Unset: https://github.com.',
    'githubUrl',
  ),
  variable(
    'GITHUB_API_URL',
    readBaseUrl,
    undefined,
    "GitHub's REST API, if it isn't https://api.github.com or <GITHUB_URL>/api/v3.",
    'githubApiUrl',
  ),
  secret('GITHUB_TOKEN', readToken, undefined, 'Posts statuses and comments, if no GitHub App does.', 'githubToken'),
  variable('GITHUB_APP_ID', readAppId, undefined, 'The number of the GitHub App that posts in place of GITHUB_TOKEN.'),
  secret('GITHUB_APP_PRIVATE_KEY', readAppKey, undefined, "That App's private key: the content of GitHub's .pem file."),
  secret(
    'GITHUB_WEBHOOK_SECRET',
    readToken,
    undefined,
    'The secret of the webhook to /hooks/github.',
    'githubWebhookSecret',
  ),
  variable('GITHUB_APP_CLIENT_ID', readName, undefined, 'The client ID of a GitHub App for sign-in.'),
  secret('GITHUB_APP_CLIENT_SECRET', readToken, undefined, 'A client secret of that App.'),
  variable(
    'GITHUB_OIDC_ISSUERS',
    readIssuers,
    undefined,
    'Issuers of ID tokens that workflows can upload with, separated by commas; none: no ID tokens are accepted. ' +
      'Unset: that of GITHUB_API_URL.',
  ),
  variable(
    'GITHUB_WRITES_PER_SECOND',
    readCount({ max: 100 }),
    '10',
    'The maximum number of statuses, comments and check runs that are sent to GitHub per second.',
    'githubWritesPerSecond',
  ),
  variable(
    'GITLAB_URL',
    readBaseUrl,
    undefined,
    "GitLab's address. Unset: https://gitlab.com, if another of these is set.",
  ),
  secret('GITLAB_TOKEN', readToken, undefined, 'Posts statuses and notes: an access token with the scope api.'),
  secret(
    'GITLAB_WEBHOOK_SECRET',
    readToken,
    undefined,
    'The secret token, or signing token, of webhooks to /hooks/gitlab.',
  ),
  variable('GITLAB_CLIENT_ID', readName, undefined, 'The ID of an application for sign-in.'),
  secret('GITLAB_CLIENT_SECRET', readToken, undefined, 'The secret of that application.'),
  variable('GITEA_URL', readBaseUrl, undefined, "Gitea's address, such as https://gitea.example."),
  secret(
    'GITEA_TOKEN',
    readToken,
    undefined,
    'Posts statuses and comments: an access token with write:repository, write:issue and read:user.',
  ),
  secret('GITEA_WEBHOOK_SECRET', readToken, undefined, 'The secret of webhooks to /hooks/gitea.'),
  variable('GITEA_CLIENT_ID', readName, undefined, 'The client ID of an OAuth2 application for sign-in.'),
  secret('GITEA_CLIENT_SECRET', readToken, undefined, 'The secret of that application.'),
  variable('FORGEJO_URL', readBaseUrl, undefined, "Forgejo's address, such as https://forgejo.example."),
  secret('FORGEJO_TOKEN', readToken, undefined, 'A token like that of Gitea.'),
  secret('FORGEJO_WEBHOOK_SECRET', readToken, undefined, 'The secret of webhooks to /hooks/forgejo.'),
  variable('FORGEJO_CLIENT_ID', readName, undefined, 'The client ID of an OAuth2 application for sign-in.'),
  secret('FORGEJO_CLIENT_SECRET', readToken, undefined, 'The secret of that application.'),
  variable(
    'BITBUCKET_URL',
    readBaseUrl,
    undefined,
    'The address of Bitbucket Cloud. Unset: https://bitbucket.org, if another of these is set.',
  ),
  variable(
    'BITBUCKET_API_URL',
    readBaseUrl,
    undefined,
    'Its API, with the version. Unset: https://api.bitbucket.org/2.0.',
  ),
  secret('BITBUCKET_TOKEN', readToken, undefined, 'Posts there: an access token, or an API token as e-mail:token.'),
  secret('BITBUCKET_WEBHOOK_SECRET', readToken, undefined, 'The secret of its webhooks to /hooks/bitbucket.'),
  variable('BITBUCKET_CLIENT_ID', readName, undefined, 'The key of an OAuth consumer for sign-in.'),
  secret('BITBUCKET_CLIENT_SECRET', readToken, undefined, 'The secret of that consumer.'),
  variable('BITBUCKET_SERVER_URL', readBaseUrl, undefined, 'The address of your Bitbucket Data Center.'),
  secret('BITBUCKET_SERVER_TOKEN', readToken, undefined, 'Posts there: an HTTP access token that can read.'),
  secret('BITBUCKET_SERVER_WEBHOOK_SECRET', readToken, undefined, 'The secret of its webhooks to /hooks/stash.'),
  variable('BITBUCKET_SERVER_CLIENT_ID', readName, undefined, 'The client ID of an incoming link for sign-in.'),
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
    "Owners whose repos are created by their first upload with a host's token or an ID token: acme or " +
      'github/acme, separated by commas.',
  ),
  variable(
    'DEFAULT_REPO_SETTINGS',
    readRepoSettings,
    undefined,
    'Settings of such repos: a JSON object of the fields that the repos API accepts.',
  ),
  variable(
    'BUILD_QUIET_PERIOD',
    readDuration({ min: 1 }),
    '30m',
    'How long after its last job a parallel build is closed, if nothing closes it earlier.',
    'quietPeriod',
  ),
  variable(
    'LATE_JOB_PERIOD',
    readDuration({ min: 0 }),
    '60s',
    'The same for a build that a late job reopened.',
    'latePeriod',
  ),
  variable(
    'MIN_TOTAL',
    readPercent,
    undefined,
    'The minimum total of every build, in percent, whatever its repo and its coverage.yml say.',
  ),
  variable('MIN_CHANGES', readPercent, undefined, 'The same for changed lines.'),
  variable(
    'REQUIRE_SIGN_IN',
    readSwitch,
    'true',
    'Whether repos are private by default; false: they are as visible as on their git host.',
    'requireSignIn',
  ),
  variable(
    'LOCAL_ACCOUNTS',
    readSwitch,
    'true',
    'Whether people can sign in with a password of this server, from `npm run user`.',
    'localAccounts',
  ),
  variable(
    'OIDC_ISSUER',
    readIssuer,
    undefined,
    'The issuer of an OpenID provider for sign-in, such as https://id.example.',
  ),
  variable('OIDC_CLIENT_ID', readName, undefined, "This server's client ID at that provider."),
  secret('OIDC_CLIENT_SECRET', readToken, undefined, 'Its client secret.'),
  variable('OIDC_NAME', readName, 'single sign-on', 'Name of that provider on the sign-in page.'),
  variable(
    'OIDC_SCOPES',
    readName,
    'openid profile email',
    'The scopes to ask for; some providers need another one for groups.',
  ),
  variable(
    'OIDC_PROMPT',
    readName,
    undefined,
    'The prompt parameter of a sign-in, such as consent if the provider needs it to give a refresh token.',
  ),
  variable(
    'OIDC_GROUPS_MAX_AGE',
    readDuration({ min: 1_000 }),
    '12h',
    'How long groups count after the provider named them. With offline_access, the server asks again before that.',
  ),
  variable('OIDC_GROUPS_CLAIM', readName, 'groups', "The claim that lists a person's groups."),
  variable(
    'OIDC_ALLOWED_DOMAINS',
    readNames,
    undefined,
    'Who can sign in: domains of verified e-mail addresses, separated by commas; * for all.',
  ),
  variable('OIDC_ALLOWED_GROUPS', readNames, undefined, 'Who else can sign in: groups, separated by commas.'),
  variable('OIDC_ADMIN_GROUP', readName, undefined, 'The group of the administrators of this server.'),
  variable(
    'OIDC_GROUP_ROLES',
    readGroupRoles,
    undefined,
    'Roles of groups: <group>=<service>/<owner>/<name>:<reader or maintainer>, separated by commas; * at the end ' +
      'of a name matches the rest.',
  ),
  ...LIMIT_VARIABLES,
  variable(
    'WORKER_THREADS',
    readCount({ max: 256 }),
    undefined,
    'Threads that read and merge reports. Unset: one fewer than the machine has processors.',
    'workerThreads',
  ),
  secret(
    'METRICS_TOKEN',
    readAdminToken,
    undefined,
    'A token that can read GET /metrics on PORT, as administrators can, and nothing else; at least 32 characters.',
    'metricsToken',
  ),
  variable(
    'METRICS_PORT',
    readPort,
    undefined,
    'Port that serves GET /metrics without a token; 0 picks a free one. Unset: only PORT does.',
    'metricsPort',
  ),
  variable('METRICS_HOST', readHost, '127.0.0.1', 'Address that METRICS_PORT listens on.', 'metricsHost'),
  variable(
    'LOG_LEVEL',
    readChoice(LOG_LEVELS),
    'info',
    `The lowest level that is logged: ${LOG_LEVELS.join(', ')}.`,
    'logLevel',
  ),
  variable(
    'LOG_FORMAT',
    readChoice(LOG_FORMATS),
    undefined,
    'How lines are written: json (an object per line) or pretty (text). Unset: pretty in a terminal, else json.',
    'logFormat',
  ),
] as const satisfies readonly ConfigVariable[];

type Variable = (typeof CONFIG_VARIABLES)[number];

/** What the variables hold: undefined if one is not set and has no default. */
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
