import type { Timers } from '../../platform/timers.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { KnownInstallations } from './installations.ts';
import type { CallsOf } from './requests.ts';

export interface AppCallsDeps {
  readonly installations: KnownInstallations;
  readonly timers: Timers;
  /** Milliseconds for a whole call: look-up, token and request. */
  readonly timeLimit: number;
}

/** A repo that is always refused costs one token in this time, in ms: all owners share the App's rate limit. */
const REFUSALS_APART = 60_000;

/**
 * Calls about a repo, as the installation of the App that it belongs to. After a refusal the installation is looked up
 * again, since the repo may have moved or the App been installed again; so is its token, which may have a new
 * permission.
 *
 * Where either changed, the call is repeated: a refused one has done nothing.
 */
export function createAppCalls({ installations, timers, timeLimit }: AppCallsDeps): CallsOf {
  return (repo) => async (run) => {
    // By the monotonic clock: the other one may be set while a call is under way.
    const until = timers.elapsed() + timeLimit;
    const left = (): number => Math.max(until - timers.elapsed(), 1);
    const { installation, remembered } = await installations.find(repo, left());
    const { tokens } = installation;
    const droppedBefore = tokens.dropped();
    try {
      return await installation.calls(run, left());
    } catch (error) {
      if (!mayDependOnInstallation(error)) throw error;
      if (error.status === 403) tokens.drop({ olderThan: REFUSALS_APART });
      // By this call, or by another that was refused with the same one.
      const isRenewed = error.status === 403 && tokens.dropped() !== droppedBefore;
      const other = remembered
        ? await installations.findOther(repo, { used: installation, within: left() })
        : undefined;
      if (other === undefined && !isRenewed) throw error;
      return await (other ?? installation).calls(run, left());
    }
  };
}

function mayDependOnInstallation(error: unknown): error is ProviderFailure {
  return error instanceof ProviderFailure && [401, 403, 404].includes(error.status ?? 0) && error.kind !== 'limited';
}
