import { RecentMap } from '../../core/recent-map.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { fieldsOf, idOf } from '../answers.ts';
import { type Ask, type Asked, type Fields, type GitlabCalls, unexpectedAnswer } from './calls.ts';
import * as say from './messages.ts';
import { OPERATIONS, type Operation } from './operations.ts';

/** Answers of GitLab to a question that mean "there is none"; 400: a ref that it does not know. */
const NONE: ReadonlySet<number | undefined> = new Set([400, 404, 410, 422]);

/** The answer to a question, undefined where GitLab definitely has none. */
export async function definiteAnswer<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent' && NONE.has(error.status)) return undefined;
    throw error;
  }
}

/** One object. An answer in which `read` finds nothing is not GitLab's. */
export async function askFor<T>(
  ask: Ask,
  operation: Operation,
  { read, ...asked }: Asked & { readonly read: (answer: Fields) => T | undefined },
): Promise<T> {
  const value = read(fieldsOf((await ask(operation, asked)).json()));
  if (value === undefined) throw unexpectedAnswer(operation);
  return value;
}

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
  /** What is known of the name is out of date, or was just learnt. */
  note(repo: string, id: string | undefined): void;
}

/** How long a name stands for its project without asking, in ms. */
const REMEMBERED = 10 * 60_000;
const MOST_REMEMBERED = 2_000;

export function createProjects(now: () => number): Projects {
  const known = new RecentMap<string>({ most: MOST_REMEMBERED, lasts: REMEMBERED, now });
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
  readonly calls: GitlabCalls;
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
