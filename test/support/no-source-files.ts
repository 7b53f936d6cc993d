import type { ChangedFile } from './github-stand-in/model.ts';

/** A change of links and of a submodule around one source file (rule 25). */
export const LINKS_AND_SUBMODULE: readonly ChangedFile[] = [
  { filename: 'docs', status: 'added', additions: 1, deletions: 0, patch: '@@ -0,0 +1 @@\n+../docs', mode: '120000' },
  { filename: 'a.js', status: 'modified', additions: 1, deletions: 0, patch: '@@ -1,0 +1 @@\n+x' },
  {
    ...{ filename: 'libs/one', status: 'modified', additions: 1, deletions: 1, mode: '160000' },
    patch: '@@ -1 +1 @@\n-Subproject commit 1111111\n+Subproject commit 2222222',
  },
  { filename: 'old', status: 'removed', additions: 0, deletions: 1, patch: '@@ -1 +0,0 @@\n-a.js', mode: '120000' },
];
