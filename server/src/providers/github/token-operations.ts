import type { Operation } from './operations.ts';

const UNSEEN = (): string => 'the token cannot see it, or there is no such thing';

/** What is asked of GitHub with a token that came with a request. */
export const TOKEN_OPERATIONS = {
  readRepo: {
    writes: false,
    task: 'describe the repo',
    permission: '`metadata: read` (classic: `repo`)',
    notFound: UNSEEN,
  },
  listInstalled: { writes: false, task: 'list the repos that the token covers', permission: 'any', notFound: UNSEEN },
  readRun: { writes: false, task: 'describe the run', permission: '`actions: read`', notFound: UNSEEN },
} as const satisfies Readonly<Record<string, Operation>>;
