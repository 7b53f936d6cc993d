import type { Config } from '../config.ts';
import { listHosts } from '../domain/repo/git-host.ts';
import { createSecretTexts, type SecretTexts } from '../domain/secret-texts.ts';
import { countCalls } from '../metrics/count-calls.ts';
import type { Clock } from '../ports/clock.ts';
import type { Hosts } from '../ports/host.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Fetch } from '../ports/outgoing.ts';
import { connectGithub, TOKEN_FORMS as GITHUB_TOKEN_FORMS } from '../providers/github/host.ts';
import type { Parts } from './services.ts';

/** Every git host that this version knows: a new one is added here. */
export function connectHosts(
  { config, timers, logger, readRetryPause }: HostParts,
  { fetch, clock, metrics }: { readonly fetch: Fetch; readonly clock: Clock; readonly metrics: Metrics },
): Hosts {
  const retry = readRetryPause === undefined ? {} : { retryPause: readRetryPause };
  const hosts = [connectGithub(config, { fetch, clock, timers, logger, ...retry })];
  return listHosts(hosts.map((host) => countCalls(host, metrics)));
}

type HostParts = Pick<Parts, 'config' | 'timers' | 'logger' | 'readRetryPause'>;

/** What no log line and no answer may hold: tokens of this service and of the hosts, and this server's own secrets. */
export function knownSecretTexts({ secretValues }: Pick<Config, 'secretValues'>): SecretTexts {
  return createSecretTexts({ forms: GITHUB_TOKEN_FORMS, values: secretValues });
}
