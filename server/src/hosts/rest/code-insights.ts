import type { Annotation } from '../../core/announce/delivery.ts';
import { quoteValue } from '../../core/failure.ts';
import { ANNOTATION_LIMIT, type CheckRunCall, type CheckRuns, ProviderFailure } from '../../ports/provider.ts';
import { isCommitSha } from '../answers.ts';
import { shortKey } from '../build-status.ts';
import type { Ask } from './calls.ts';
import type { Operation } from './operations.ts';
import { definiteAnswer } from './questions.ts';

/** What the reports of both Bitbuckets differ by. */
export interface ReportKind<Asking extends Operation> {
  readonly operation: Asking;
  inRepo<T>(repo: string, run: (ask: Ask<Asking>, path: string) => Promise<T>): Promise<T>;
  /** Where the reports of a commit are. */
  placeOf(path: string, commit: string): string;
  /** What one has beside its title, its details and its address. */
  readonly more: object;
  annotationsOf(annotations: readonly Annotation[]): object;
}

/** Characters that both take. */
const MAX_TITLE = 450;
const MAX_DETAILS = 2_000;
const MAX_ID = 100;

export const SEVERITIES = { notice: 'LOW', warning: 'MEDIUM', failure: 'HIGH' } as const;

/**
 * Reports with annotations, in place of check runs. A report is called by a name of ours, and what it held before goes
 * with it, so that the same is written again after an unknown outcome. It bears no result: one could keep a pull
 * request from being merged.
 */
export function createReports<Asking extends Operation>(kind: ReportKind<Asking>): CheckRuns {
  const write = async (call: CheckRunCall): Promise<string> => {
    const { repo, commit, name, title, summary, detailsUrl: link, annotations } = call;
    if (!isCommitSha(commit) || annotations.length > ANNOTATION_LIMIT)
      throw new ProviderFailure(
        'permanent',
        `A report needs a whole commit SHA and at most ${ANNOTATION_LIMIT} annotations, ` +
          `not ${quoteValue(commit)} and ${annotations.length}.`,
      );
    const id = shortKey(name.replace(/[^\w-]+/g, '-'), MAX_ID);
    const { operation } = kind;
    await kind.inRepo(repo, async (ask, path) => {
      const place = `${kind.placeOf(path, commit)}/${id}`;
      await definiteAnswer(ask(operation, { method: 'DELETE', path: place }));
      const details = `${title}\n\n${summary}`.slice(0, MAX_DETAILS).toWellFormed();
      const body = { title: name.slice(0, MAX_TITLE).toWellFormed(), details, link, ...kind.more };
      await ask(operation, { method: 'PUT', path: place, body });
      if (annotations.length === 0) return;
      const marks = kind.annotationsOf(annotations);
      await ask(operation, { method: 'POST', path: `${place}/annotations`, body: marks });
    });
    return id;
  };
  return {
    createCheckRun: write,
    async updateCheckRun(call) {
      await write(call);
      return 'updated';
    },
    // Whatever is there is replaced.
    findCheckRun: async () => undefined,
  };
}
