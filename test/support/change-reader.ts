import { expect } from 'vitest';
import { type ChangeLimits, readChange } from '../../action/src/change/read-change.ts';
import { describeEvent, type EventRunner } from '../../action/src/context/event.ts';
import type { JobDiff } from '../../shared/src/job.ts';

export interface AskedChange {
  /** The checkout. */
  readonly root: string;
  /** The commit that was tested. */
  readonly head: string;
  /** What differs from a push of it to main. */
  readonly event?: Partial<EventRunner>;
  readonly limits?: ChangeLimits;
  readonly command?: string;
}

/** What the action sends of a change, and what its log says. */
export async function readChangeOf({
  root,
  head,
  event,
  ...tools
}: AskedChange): Promise<{ readonly diff: JobDiff | undefined; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const facts = describeEvent({ event: {}, sha: head, ref: 'refs/heads/main', refName: 'main', headRef: '', ...event });
  const log = { info: (line: string) => lines.push(line), warning: () => expect.unreachable() };
  const diff = await readChange({ root, head, facts }, { log, ...tools });
  // Sent or not, it is said once.
  expect(lines).toHaveLength(1);
  return { diff, lines };
}
