import type { Config } from '../config.ts';
import { listHosts } from '../domain/repo/git-host.ts';
import { createSecretTexts, type SecretTexts } from '../domain/secret-texts.ts';
import { countCalls } from '../metrics/count-calls.ts';
import type { Clock } from '../ports/clock.ts';
import type { Hosts } from '../ports/host.ts';
import type { HostApp } from '../ports/host-apps.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Fetch } from '../ports/outgoing.ts';
import { connectGithub, TOKEN_FORMS as GITHUB_TOKEN_FORMS } from '../providers/github/host.ts';
import type { Parts } from './services.ts';

/** Every git host that this version knows: a new one is added in `connect`. */
export function connectHosts(
  { config, timers, logger, readRetryPause, hostApps, secretTexts }: HostParts,
  {
    fetch,
    clock,
    metrics,
  }: { readonly fetch: Fetch; readonly clock: Clock; readonly metrics: Pick<Metrics, 'providerCalled'> },
): { readonly hosts: Hosts; readonly useApp: (app: HostApp) => void } {
  const retry = readRetryPause === undefined ? {} : { retryPause: readRetryPause };
  const connect = (apps: readonly HostApp[]): Hosts => {
    secretTexts.learn(apps.flatMap(({ clientSecret, webhookSecret }) => [clientSecret, webhookSecret]));
    const hosts = [connectGithub(config, { fetch, clock, timers, logger, ...retry }, apps)];
    return listHosts(hosts.map((host) => countCalls(host, metrics)));
  };
  let current = connect(hostApps);
  const hosts: Hosts = {
    get all() {
      return current.all;
    },
    of: (repo) => current.of(repo),
  };
  return {
    hosts,
    useApp: (app) => {
      current = connect([app, ...hostApps]);
    },
  };
}

type HostParts = Pick<Parts, 'config' | 'timers' | 'logger' | 'readRetryPause' | 'hostApps' | 'secretTexts'>;

/** What no log line and no answer may hold: tokens of this service and of the hosts, and this server's own secrets. */
export function knownSecretTexts({ secretValues }: Pick<Config, 'secretValues'>): SecretTexts {
  return createSecretTexts({ forms: GITHUB_TOKEN_FORMS, values: secretValues });
}
