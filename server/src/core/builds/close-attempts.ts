import type { Timestamp } from '../time.ts';
import type { Build } from './build.ts';
import type { CloseAttempts } from './due-tasks.ts';

/** After this many closes in a row that began and were not written, a build is set aside. */
const MAX_CLOSE_ATTEMPTS = 10;

/** The build with another attempt counted, before that begins; set aside instead, where it has had all of them. */
export function beginAttempt(build: Build, at: Timestamp): Build {
  const { count, reason } = build.attempts ?? { count: 0 };
  const attempts: CloseAttempts =
    count < MAX_CLOSE_ATTEMPTS ? { count: count + 1, at, reason } : { count, at, reason, setAside: true };
  return { ...build, attempts };
}

/** The build after an attempt failed; the last one sets it aside. What failed after a close was written is none. */
export function failAttempt(build: Build, { at, reason }: { readonly at: Timestamp; readonly reason: string }): Build {
  if (build.attempts === undefined) return build;
  const { count } = build.attempts;
  const setAside = count >= MAX_CLOSE_ATTEMPTS ? { setAside: true as const } : {};
  return { ...build, attempts: { count, at, reason, ...setAside } };
}

/** The build put back to work, for one more attempt; the same object where it was not set aside. */
export function resumeAttempts(build: Build): Build {
  const { attempts } = build;
  if (attempts?.setAside === undefined) return build;
  const { at, reason } = attempts;
  return { ...build, attempts: { count: MAX_CLOSE_ATTEMPTS - 1, at, reason } };
}
