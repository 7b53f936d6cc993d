import { listHosts } from '../domain/repo/git-host.ts';
import { countCalls } from '../metrics/count-calls.ts';
import type { Clock } from '../ports/clock.ts';
import type { Hosts } from '../ports/host.ts';
import type { Metrics } from '../ports/metrics.ts';
import { connectGithub, TOKEN_FORM as GITHUB_TOKEN_FORM } from '../providers/github/host.ts';
import type { Parts } from './services.ts';

/** Every git host that this version knows: a new one is added here. */
export function connectHosts(
  { config, timers, logger, readRetryPause }: HostParts,
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics },
): Hosts {
  const retry = readRetryPause === undefined ? {} : { retryPause: readRetryPause };
  const hosts = [connectGithub(config, { clock, timers, logger, ...retry })];
  return listHosts(hosts.map((host) => countCalls(host, metrics)));
}

type HostParts = Pick<Parts, 'config' | 'timers' | 'logger' | 'readRetryPause'>;

/** What their tokens look like, which no log line may hold. */
export const HOST_TOKEN_FORMS: readonly RegExp[] = [GITHUB_TOKEN_FORM];
