import type { WorkflowRun } from '../../domain/repo/workflow-run.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { InstalledRepo, OpenTokenView, RefreshedRepo, TokenView } from '../../ports/provider.ts';
import type { Timers } from '../../ports/timers.ts';
import { splitRepoName } from './addresses.ts';
import { fieldsOf, idOf, textOf } from './answers.ts';
import { createBoundedCalls, type GithubCall, type GithubCalls, redactToken } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import { definiteAnswer } from './definite-answer.ts';
import { createFacts } from './facts.ts';
import { createPassingClient } from './octokit-client.ts';
import { toWorkflowRun } from './runs.ts';
import { BY_TOKEN } from './sign-in.ts';
import { TOKEN_OPERATIONS } from './token-operations.ts';

const PER_PAGE = 100;
/** A workflow's token covers one repo; an App's may cover thousands, and is looked through this far. */
const MAX_PAGES = 10;

export interface TokenViewDeps {
  /** GITHUB_API_URL. */
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** GitHub as a token sees it that came with a request; the token appears in no log line and no failure. */
export function createOpenTokenView({ apiUrl, clock, timers, logger }: TokenViewDeps): OpenTokenView {
  return ({ token, timeLimit }) => {
    const client = createPassingClient({ apiUrl, token, logger });
    const until = clock.now() + timeLimit;
    const settings = { client, clock, timers, signIn: BY_TOKEN, redact: redactToken(token) };
    const calls: GithubCalls = (run) =>
      createBoundedCalls({ ...settings, timeLimit: Math.max(until - clock.now(), 1) })(run);
    return viewThrough(calls);
  };
}

function viewThrough(calls: GithubCalls): TokenView {
  return {
    readRepo: ({ repo }) => definiteAnswer(calls((call) => readRepo(call, repo))),
    findInstalled: ({ repo }) => calls((call) => findInstalled(call, repo?.toLowerCase())),
    readRun: ({ repo, run }) => definiteAnswer(calls((call) => readRun(call, { repo, run }))),
    describeCommit: createFacts(calls).describeCommit,
  };
}

async function readRepo({ client, ask }: GithubCall, repo: string): Promise<RefreshedRepo> {
  const { data } = await client.rest.repos.get({ ...splitRepoName(repo), request: ask(TOKEN_OPERATIONS.readRepo) });
  const seen = toSeenRepo(data);
  if (seen === undefined) throw unexpectedAnswer(TOKEN_OPERATIONS.readRepo);
  return seen;
}

async function findInstalled({ client, ask }: GithubCall, wanted: string | undefined): Promise<InstalledRepo> {
  let covered = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const request = ask(TOKEN_OPERATIONS.listInstalled);
    const { data } = await client.rest.apps.listReposAccessibleToInstallation({ per_page: PER_PAGE, page, request });
    const list: unknown = fieldsOf(data).repositories;
    if (!Array.isArray(list)) throw unexpectedAnswer(TOKEN_OPERATIONS.listInstalled);
    covered = Math.max(covered, idOf(fieldsOf(data).total_count) ?? 0, list.length);
    const repos = list.map(toSeenRepo).filter((repo) => repo !== undefined);
    if (wanted === undefined) return { repo: covered === 1 ? repos[0] : undefined, covered };
    const repo = repos.find(({ name }) => name.toLowerCase() === wanted);
    if (repo !== undefined || list.length < PER_PAGE) return { repo, covered };
  }
  return { repo: undefined, covered };
}

async function readRun(
  { client, ask }: GithubCall,
  { repo, run }: { readonly repo: string; readonly run: string },
): Promise<WorkflowRun> {
  const { data } = await client.rest.actions.getWorkflowRun({
    ...splitRepoName(repo),
    run_id: Number(run),
    // They are those that are open now, whichever of them the run was started for.
    exclude_pull_requests: true,
    request: ask(TOKEN_OPERATIONS.readRun),
  });
  const described = toWorkflowRun(data);
  if (described === undefined) throw unexpectedAnswer(TOKEN_OPERATIONS.readRun);
  return described;
}

function toSeenRepo(answer: unknown): RefreshedRepo | undefined {
  const repo = fieldsOf(answer);
  const id = idOf(repo.id);
  const name = textOf(repo.full_name);
  if (id === undefined || name === undefined) return undefined;
  return { id: String(id), name, mayPush: fieldsOf(repo.permissions).push === true };
}
