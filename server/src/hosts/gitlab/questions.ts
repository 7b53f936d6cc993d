import { RecentMap } from '../../core/recent-map.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf } from '../answers.ts';
import type { Ask, Asked, Calls } from '../rest/calls.ts';
import { type Operation, unexpectedAnswer } from '../rest/operations.ts';
import { askFor } from '../rest/questions.ts';
import * as say from './messages.ts';
import { OPERATIONS } from './operations.ts';

/** One page of a list, and the number of the next; an answer cut short must not read as an empty list. */
export async function askForPage(
  ask: Ask,
  operation: Operation,
  asked: Asked,
): Promise<{ readonly entries: readonly Fields[]; readonly next: string | undefined }> {
  const answer = await ask(operation, { ...asked, query: { per_page: '100', ...asked.query } });
  const list = answer.json();
  if (!Array.isArray(list)) throw unexpectedAnswer(operation);
  const next = answer.headers.get('x-next-page') ?? '';
  return { entries: list.map(fieldsOf), next: /^\d+$/.test(next) ? next : undefined };
}

/** A project as paths name it, `/projects/<id>`: writes are refused by a former name, so the id is asked for once. */
export interface Projects {
  pathOf(ask: Ask, repo: string): Promise<string>;
  /** What is known of the name is out of date, or was just learned. */
  note(repo: string, id: string | undefined): void;
}

/** How long a name stands for its project without asking, in ms. */
const REMEMBERED = 10 * 60_000;
const MAX_REMEMBERED = 2_000;

export function createProjects(now: () => number): Projects {
  const known = new RecentMap<string>({ max: MAX_REMEMBERED, lasts: REMEMBERED, now });
  const note = (repo: string, id: string | undefined): void => {
    if (id === undefined) known.delete(repo.toLowerCase());
    else known.set(repo.toLowerCase(), id);
  };
  return {
    note,
    async pathOf(ask, repo) {
      const before = known.get(repo.toLowerCase());
      if (before !== undefined) return `/projects/${before}`;
      const id = await askFor(ask, OPERATIONS.readProject, { path: pathByName(repo), read: (one) => idOf(one.id) });
      note(repo, String(id));
      return `/projects/${id}`;
    },
  };
}

/** By its name, groups and all; what no project can be called is a permanent failure before anything is sent. */
export function pathByName(repo: string): string {
  const problem = findNameProblem('gitlab', repo);
  if (problem !== undefined) throw new ProviderFailure('permanent', say.nameWrong(problem));
  return `/projects/${encodeURIComponent(repo)}`;
}

/** What every part of the adapter asks by. */
export interface Gitlab {
  readonly calls: Calls;
  readonly projects: Projects;
}

/** One call about a project. A project that went from where it was is looked for again at the next. */
export function inProject<T>(
  { calls, projects }: Gitlab,
  repo: string,
  run: (ask: Ask, path: string) => Promise<T>,
): Promise<T> {
  return calls(async (ask) => {
    const path = await projects.pathOf(ask, repo);
    try {
      return await run(ask, path);
    } catch (error) {
      if (error instanceof ProviderFailure && error.status === 404) projects.note(repo, undefined);
      throw error;
    }
  });
}
