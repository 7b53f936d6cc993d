import { expect, test } from 'vitest';
import { readChangeOf } from './support/change-reader.ts';
import { createGitRepo } from './support/git-repo.ts';

/** Far more time than git takes for such a text on a busy machine. */
const LIMITS = { files: 9, hunks: 9, newLines: 2_000_000, timeMs: 50_000 };

test('the lines of a text that is longer than the server takes are left out, and those of others listed', async () => {
  const repo = createGitRepo();
  try {
    const long = '\n'.repeat(2 ** 24);
    const before = repo.commit('One', { 'a.ts': 'a\n', 'b.txt': long });
    const head = repo.commit('Two', { 'a.ts': 'A\n', 'b.txt': `${long}x\n` });
    const event = { event: { before, forced: false } };
    const { diff } = await readChangeOf({ root: repo.directory, head, event, limits: LIMITS });
    expect(diff?.files).toEqual([
      { name: 'a.ts', kind: 'modified', hunks: [[1, 1, 1, 1]] },
      { name: 'b.txt', kind: 'modified', hunks: null },
    ]);
  } finally {
    repo.remove();
  }
});
