import { Failure } from '../core/failure.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Examination } from './examine-server.ts';

export type ShowExamination = (caller: Caller | 'doctor') => Promise<Examination>;

/** To administrators alone: it tells of all repos together, and of the machine. */
export function createShowExamination(deps: {
  readonly examineServer: () => Promise<Examination>;
  /** Writes what was counted of webhooks. */
  readonly flush: () => Promise<void>;
}): ShowExamination {
  return async (caller) => {
    if (caller !== 'doctor' && (caller.kind !== 'user' || caller.role !== 'administrator'))
      throw new Failure('forbidden', 'Only administrators of this server can see what it found about itself.');
    await deps.flush();
    return deps.examineServer();
  };
}
