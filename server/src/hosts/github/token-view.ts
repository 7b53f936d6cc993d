import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import type { Timers } from '../../platform/timers.ts';
import type { InstalledRepo, OpenTokenView, RefreshedRepo, TokenView } from '../../ports/provider.ts';
import { fieldsOf, idOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { createBoundedCalls, type GithubCall, type GithubCalls, redactToken } from './bounded-calls.ts';
import { createFacts } from './facts.ts';
import { createPassingClient } from './octokit-client.ts';
import { OPERATIONS } from './operations.ts';
import { identityOf } from './repos.ts';
import { askDefinitely, type Fields, request } from './requests.ts';
import { toRunFacts } from './runs.ts';
import { BY_TOKEN } from './sign-in.ts';

const PER_PAGE = 100;
/** A workflow's token covers one repo; an App's may cover thousands, and is looked through this far. */
const MAX_PAGES = 10;

export interface TokenViewDeps {
  /** GITHUB_API_URL. */
  readonly apiUrl: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** GitHub as a token sees it that came with a request; the token appears in no log line and no failure. */
export function createOpenTokenView({ apiUrl, fetch, clock, timers, logger }: TokenViewDeps): OpenTokenView {
  return ({ token, timeLimit }) => {
    const client = createPassingClient({ apiUrl, token, logger });
    const until = clock.now() + timeLimit;
    const settings = { client, fetch, clock, timers, signIn: BY_TOKEN, redact: redactToken(token) };
    const calls: GithubCalls = (run) =>
      createBoundedCalls({ ...settings, timeLimit: Math.max(until - clock.now(), 1) })(run);
    return viewThrough(calls);
  };
}

function viewThrough(calls: GithubCalls): TokenView {
  const facts = createFacts(() => calls);
  return {
    readRepo: ({ repo }) =>
      askDefinitely(calls, OPERATIONS.readRepo, {
        send: (rest, options) => rest.repos.get({ ...splitRepoName(repo), request: options }),
        read: toSeenRepo,
      }),
    findInstalled: ({ repo }) => calls((call) => findInstalled(call, repo?.toLowerCase())),
    readRun: ({ repo, run }) =>
      askDefinitely(calls, OPERATIONS.readRun, {
        send: (rest, options) => {
          const place = { ...splitRepoName(repo), run_id: Number(run) };
          // The pull requests are those that are open now, whichever of them the run was started for.
          return rest.actions.getWorkflowRun({ ...place, exclude_pull_requests: true, request: options });
        },
        read: toRunFacts,
      }),
    describeCommit: facts.describeCommit,
    describePullRequest: facts.describePullRequest,
  };
}

async function findInstalled(call: GithubCall, wanted: string | undefined): Promise<InstalledRepo> {
  let covered = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { list, total } = await listInstalled(call, page);
    covered = Math.max(covered, total, list.length);
    const repos = list.map((repo) => toSeenRepo(fieldsOf(repo))).filter((repo) => repo !== undefined);
    if (wanted === undefined) return { repo: covered === 1 ? repos[0] : undefined, covered };
    const repo = repos.find(({ name }) => name.toLowerCase() === wanted);
    if (repo !== undefined || list.length < PER_PAGE) return { repo, covered };
  }
  return { repo: undefined, covered };
}

function listInstalled(call: GithubCall, page: number) {
  return request(call, OPERATIONS.listInstalled, {
    send: (rest, options) =>
      rest.apps.listReposAccessibleToInstallation({ per_page: PER_PAGE, page, request: options }),
    read: ({ repositories: list, total_count: total }) =>
      Array.isArray(list) ? { list: list as readonly unknown[], total: idOf(total) ?? 0 } : undefined,
  });
}

function toSeenRepo(repo: Fields): RefreshedRepo | undefined {
  const identity = identityOf(repo);
  return identity && { ...identity, mayPush: fieldsOf(repo.permissions).push === true };
}
