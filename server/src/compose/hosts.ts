import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';
import { listHosts } from '../core/repo/git-host.ts';
import { createSecretTexts, type SecretTexts } from '../core/secret-texts.ts';
import { BITBUCKET } from '../hosts/bitbucket/host.ts';
import { BITBUCKET_SERVER } from '../hosts/bitbucket-server/host.ts';
import { FORGEJO, GITEA } from '../hosts/gitea/host.ts';
import { GITHUB } from '../hosts/github/host.ts';
import { GITLAB } from '../hosts/gitlab/host.ts';
import { byRepoTokens } from '../hosts/repo-tokens.ts';
import type { Clock } from '../platform/clock.ts';
import { countCalls } from '../platform/metrics/timed.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Fetch } from '../platform/outgoing.ts';
import { privateKeyLines } from '../platform/secrets/secret-key.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Host, Hosts } from '../ports/host.ts';
import type { HostApp } from '../ports/host-apps.ts';
import type { Services } from '../services/services.ts';
import type { RepoStore } from '../storage/store.ts';
import type { Parts } from './services.ts';

/** Every git host that this version knows and that is set up. */
export function connectHosts(
  { config, timers, logger, readRetryPause, hostApps, secretTexts, secrets, repos, ...parts }: HostParts,
  {
    fetch,
    clock,
    metrics,
  }: { readonly fetch: Fetch; readonly clock: Clock; readonly metrics: Pick<Metrics, 'providerCalled'> },
): { readonly hosts: Hosts; readonly useApp: Services['useApp'] } {
  const { hostKinds = HOST_KINDS } = parts;
  const retry = readRetryPause === undefined ? {} : { retryPause: readRetryPause };
  const learn = (secret: string): void => secretTexts.learn([secret]);
  const byOwnTokens = (host: Host): Host =>
    repos && secrets ? byRepoTokens(host, { repos, secrets, clock, learn }) : host;
  const connect = (apps: readonly HostApp[]): Hosts => {
    for (const { clientSecret, webhookSecret, privateKey } of apps)
      secretTexts.learn([clientSecret, webhookSecret, ...privateKeyLines(privateKey)]);
    const deps = { fetch, clock, timers, logger, ...retry };
    const hosts = hostKinds.flatMap((kind) => kind.connect(config, deps, apps) ?? []);
    const byTokens = hosts.map((host) => countCalls(byOwnTokens(host), metrics));
    const usual = byTokens.map((host, at) =>
      hosts[at]?.provider === undefined ? { ...host, provider: undefined } : host,
    );
    return listHosts(usual, byTokens);
  };
  let apps = hostApps;
  let current = connect(apps);
  const hosts: Hosts = {
    get all() {
      return current.all;
    },
    of: (repo) => current.of(repo),
  };
  return {
    hosts,
    useApp: (app) => {
      if (apps.some((one) => isDeepStrictEqual(one, app))) return false;
      apps = [app, ...apps.filter(({ service }) => service !== app.service)];
      current = connect(apps);
      return true;
    },
  };
}

type HostParts = Pick<
  Parts,
  'config' | 'hostKinds' | 'timers' | 'logger' | 'readRetryPause' | 'hostApps' | 'secretTexts'
> & {
  /** By which repos have tokens of their own; undefined: none has. */
  readonly repos?: RepoStore | undefined;
  readonly secrets?: Secrets | undefined;
};

/** What no log line and no answer may hold: tokens of this service and of the hosts, and this server's own secrets. */
export function knownSecretTexts(config: KnownSecrets): SecretTexts {
  const { secretValues, secretKey, previousSecretKey } = config;
  const values = [...secretValues, ...[secretKey, previousSecretKey].flatMap(spellingsOf)];
  return createSecretTexts({ forms: HOST_KINDS.flatMap(({ tokenForms }) => tokenForms), values });
}

type KnownSecrets = Pick<Config, 'secretValues'> & Partial<Pick<Config, 'secretKey' | 'previousSecretKey'>>;

/** As SECRET_KEY may be written. */
function spellingsOf(key: KeyObject | undefined): readonly string[] {
  return key === undefined ? [] : (['hex', 'base64'] as const).map((form) => key.export().toString(form));
}

/** Every git host that this version knows: a new one is its folder and an entry here. */
const HOST_KINDS = [GITHUB, GITLAB, GITEA, FORGEJO, BITBUCKET, BITBUCKET_SERVER];
