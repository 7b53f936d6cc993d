import { ProviderFailure } from '../../ports/provider.ts';
import type { Timers } from '../../ports/timers.ts';
import type { KnownInstallations } from './installations.ts';
import type { CallsOf } from './requests.ts';

export interface AppCallsDeps {
  readonly installations: KnownInstallations;
  readonly timers: Timers;
  /** Milliseconds for a whole call: look-up, token and request. */
  readonly timeLimit: number;
}

/**
 * A repo that is refused again and again costs a token once in this time, in ms: the App's budget is that of all
 * owners.
 */
const REFUSALS_APART = 60_000;

/**
 * Calls about a repo, as the installation of the App that it belongs to. A refusal that another installation may not
 * meet (the repo moved, the App was installed again) has it looked up again, and where it is another one the call is
 * made again: what is refused has done nothing. So it is with another token, which may have a permission that was
 * granted since.
 */
export function createAppCalls({ installations, timers, timeLimit }: AppCallsDeps): CallsOf {
  return (repo) => async (run) => {
    // By the clock that timers go by: the others may be set while a call is under way.
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
