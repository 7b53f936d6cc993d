import type { Config } from '../config.ts';
import { listHosts } from '../domain/repo/git-host.ts';
import type { Clock } from '../ports/clock.ts';
import type { Hosts } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import { connectGithub, TOKEN_FORM as GITHUB_TOKEN_FORM } from '../providers/github/host.ts';

/** Every git host that this version knows: a new one is added here. */
export function connectHosts(config: Config, deps: { readonly clock: Clock; readonly logger: Logger }): Hosts {
  return listHosts([connectGithub(config, deps)]);
}

/** What their tokens look like, which no log line may hold. */
export const HOST_TOKEN_FORMS: readonly RegExp[] = [GITHUB_TOKEN_FORM];
