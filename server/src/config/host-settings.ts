import * as say from './messages.ts';
import { CONFIG_VARIABLES, type Settings } from './variables.ts';

/** The GitHub App that this server signs in as. */
export interface GithubAppConfig {
  readonly id: number;
  /** An RSA key as PEM, PKCS#8. */
  readonly privateKey: string;
}

/** What the variables of a git host begin with. */
type HostName = {
  [Name in keyof Settings]: Name extends `${infer Host}_WEBHOOK_SECRET` ? Host : never;
}[keyof Settings];

/** Every host that has variables: each has a secret of its webhooks. */
const HOSTS = CONFIG_VARIABLES.flatMap(({ name }) =>
  name.endsWith('_WEBHOOK_SECRET') ? [name.replace('_WEBHOOK_SECRET', '') as HostName] : [],
);

/** Those that one may have oneself, with the same variables. */
const OWN_HOSTS = ['GITLAB', 'GITEA', 'FORGEJO'] as const;
type OwnHost = (typeof OWN_HOSTS)[number];

/** What the modules of the hosts go by. */
export function hostSettings(settings: Settings) {
  const own = OWN_HOSTS.map((host) => [host.toLowerCase(), ownHostOf(settings, host)]);
  return {
    /** Never together with githubToken. */
    githubApp: githubAppOf(settings),
    /** By which people sign in with GitHub; undefined: nobody does. */
    githubOauthApp: applicationOf(settings.GITHUB_APP_CLIENT_ID, settings.GITHUB_APP_CLIENT_SECRET),
    githubOidcIssuers: githubIssuers(settings),
    ...(Object.fromEntries(own) as { readonly [Host in OwnHost as Lowercase<Host>]: ReturnType<typeof ownHostOf> }),
    bitbucket: bitbucketOf(settings),
    bitbucketServer: bitbucketServerOf(settings),
  };
}

function ownHostOf(settings: Settings, host: OwnHost) {
  const url = settings[`${host}_URL`];
  const [clientId, clientSecret] = [settings[`${host}_CLIENT_ID`], settings[`${host}_CLIENT_SECRET`]];
  return {
    url,
    /** Its keys could be changed on the way: no ID token is believed. */
    isReadable: url !== undefined && isReadableOnTheWay(new URL(url)),
    token: settings[`${host}_TOKEN`],
    webhookSecret: settings[`${host}_WEBHOOK_SECRET`],
    /** By which people sign in with it; undefined: nobody does. */
    application: applicationOf(clientId, clientSecret),
  };
}

function applicationOf(clientId: string | undefined, clientSecret: string | undefined) {
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

function bitbucketOf(settings: Settings) {
  return {
    url: settings.BITBUCKET_URL,
    apiUrl: settings.BITBUCKET_API_URL,
    isReadable: settings.BITBUCKET_API_URL !== undefined && isReadableOnTheWay(new URL(settings.BITBUCKET_API_URL)),
    token: settings.BITBUCKET_TOKEN,
    webhookSecret: settings.BITBUCKET_WEBHOOK_SECRET,
    application: applicationOf(settings.BITBUCKET_CLIENT_ID, settings.BITBUCKET_CLIENT_SECRET),
  };
}

function bitbucketServerOf(settings: Settings) {
  return {
    url: settings.BITBUCKET_SERVER_URL,
    token: settings.BITBUCKET_SERVER_TOKEN,
    webhookSecret: settings.BITBUCKET_SERVER_WEBHOOK_SECRET,
    application: applicationOf(settings.BITBUCKET_SERVER_CLIENT_ID, settings.BITBUCKET_SERVER_CLIENT_SECRET),
  };
}

/** Whose ID tokens uploads may bring; undefined: GitHub's own. Keys that came without https could be anybody's. */
function githubIssuers({ GITHUB_OIDC_ISSUERS: stated, GITHUB_URL: url, GITHUB_API_URL: api }: Settings) {
  const isReadable = [url, api].some((one) => one && isReadableOnTheWay(new URL(one)));
  return stated ?? (isReadable ? [] : undefined);
}

function githubAppOf({ GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: privateKey }: Settings): GithubAppConfig | undefined {
  return id === undefined || privateKey === undefined ? undefined : { id, privateKey };
}

type ClientSecret = Exclude<Extract<keyof Settings, `${string}_CLIENT_SECRET`>, 'OIDC_CLIENT_SECRET'>;
type ClientId = ClientSecret extends `${infer Host}_SECRET` ? `${Host}_ID` : never;

/** What belongs together. */
export function findHostContradictions(settings: Settings): readonly string[] {
  const secrets = CONFIG_VARIABLES.map(({ name }) => name).filter(
    (name): name is ClientSecret => name.endsWith('_CLIENT_SECRET') && name !== 'OIDC_CLIENT_SECRET',
  );
  const pairs = secrets.map((name) => [name.replace(/SECRET$/, 'ID') as ClientId, name] as const);
  const placeless = (['GITEA', 'FORGEJO'] as const)
    .filter((host) => settings[`${host}_URL`] === undefined)
    .flatMap((host) =>
      ([`${host}_TOKEN`, `${host}_WEBHOOK_SECRET`, `${host}_CLIENT_ID`] as const)
        .filter((name) => settings[name] !== undefined)
        .map((name) => say.alone(name, `${host}_URL`)),
    );
  return [...findGithubContradictions(settings), ...findAlone(pairs, settings), ...placeless];
}

/** Each variable of a pair that is set without the other. */
export function findAlone(
  pairs: readonly (readonly [keyof Settings, keyof Settings])[],
  settings: Settings,
): readonly string[] {
  return pairs
    .flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
    .filter(([one, other]) => settings[one] !== undefined && settings[other] === undefined)
    .map(([one, other]) => say.alone(one, other));
}

/** One way to sign in at GitHub: which account it is must never depend on which of two is tried first. */
function findGithubContradictions(settings: Settings): readonly string[] {
  const { GITHUB_TOKEN: token, GITHUB_APP_ID: id, GITHUB_APP_PRIVATE_KEY: key } = settings;
  const problems: string[] = [];
  if (token !== undefined && (id ?? key) !== undefined) {
    problems.push(say.TOKEN_AND_APP);
  }
  if (id !== undefined && key === undefined) {
    problems.push(say.APP_KEY_MISSING);
  }
  if (id === undefined && key !== undefined) {
    problems.push(say.APP_ID_MISSING);
  }
  return problems;
}

/** Secrets of webhooks that could be guessed. */
export function findShortSecrets(settings: Settings): readonly string[] {
  return HOSTS.flatMap((host) => {
    const name = `${host}_WEBHOOK_SECRET` as const;
    const hook = settings[name];
    return hook !== undefined && hook.length < 20 ? [say.hookSecretTooShort(name, hook.length)] : [];
  });
}

type Address = Extract<keyof Settings, `${HostName}_URL` | `${HostName}_API_URL`>;

/** Hosts whose answers could be changed on the way. */
export function findReadableHosts(settings: Settings): readonly string[] {
  const names = HOSTS.flatMap((host) => [`${host}_URL`, `${host}_API_URL`] as readonly Address[]);
  return names.flatMap((name) => {
    const host = settings[name];
    return host !== undefined && isReadableOnTheWay(new URL(host)) ? [say.hostWithoutTls(name, host)] : [];
  });
}

function isReadableOnTheWay({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname);
}
