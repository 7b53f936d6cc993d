import type { BuildSummary } from '../core/builds/build-summary.ts';
import { isProvisional } from '../core/builds/provisional.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Services } from '../services/services.ts';
import { findReadableBuild } from './find-readable.ts';

/** Jobs whose arrival a page shows at once: of a build of thousands it would hardly be read before it changes. */
const COUNTED_JOBS = 20;

/** Changes when the page of a build would say something else. */
export function markOf({ state, result, attempts, jobs }: BuildSummary): string {
  const waits = result !== undefined && isProvisional(result) ? 'provisional' : '';
  const setAside = attempts?.setAside ? 'set-aside' : '';
  return [state, result?.closeCount ?? 0, waits, setAside, Math.min(jobs, COUNTED_JOBS)].join('.');
}

/** Throws the Failures of findReadableBuild. */
export async function readPageMark(
  services: Pick<Services, 'resolveAccess' | 'repos' | 'views'>,
  asked: { readonly caller: Caller; readonly reference: string },
): Promise<string> {
  return markOf((await findReadableBuild(services, asked)).build);
}
