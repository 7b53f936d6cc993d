import { expect } from 'vitest';
import { type ChangeLimits, readChange } from '../../action/src/change/read-change.ts';
import { describeEvent, type EventRunner } from '../../action/src/context/event.ts';
import type { GitServer } from '../../action/src/git/fetch-source.ts';
import { createGitFolders } from '../../action/src/git/git-folder.ts';
import type { JobDiff } from '../../shared/src/job.ts';

export interface AskedChange {
  /** The checkout. */
  readonly root: string;
  /** The commit that was tested. */
  readonly head: string;
  /** What differs from a push of it to main. */
  readonly event?: Partial<EventRunner>;
  readonly limits?: ChangeLimits;
  /** The git command. */
  readonly command?: string;
  /** The host of the run; by default one that no remote is on. */
  readonly server?: GitServer;
  /** Is given the git directory that the checkout was read through, before it is removed. */
  readonly look?: (folder: string) => void;
}

/** What the action sends of a change, and what its log says. */
export async function readChangeOf({
  root,
  head,
  event,
  limits,
  command = 'git',
  look = () => {},
  server = { url: 'https://git.invalid', token: '' },
}: AskedChange): Promise<{ readonly diff: JobDiff | undefined; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const facts = describeEvent({ event: {}, sha: head, ref: 'refs/heads/main', refName: 'main', headRef: '', ...event });
  const log = { info: (line: string) => lines.push(line), warning: () => expect.unreachable() };
  // Repos on this machine replace those on a host.
  const folders = createGitFolders(root, { server, command, transports: ['https', 'file'] });
  try {
    const tools = { log, folders, ...(limits === undefined ? {} : { limits }) };
    const diff = await readChange({ root, head, facts }, tools);
    // Sent or not, it is said once.
    expect(lines).toHaveLength(1);
    return { diff, lines };
  } finally {
    const folder = await folders.at(root);
    if (folder !== undefined) look(folder.reading.folder);
    await folders.remove();
  }
}
