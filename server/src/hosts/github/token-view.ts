import type { InstalledRepo, OpenTokenView, RefreshedRepo, TokenView } from '../../ports/provider.ts';
import { type Fields, fieldsOf, idOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import { type GithubCall, type GithubCalls, type GithubConnection, openPassingCalls } from './calls.ts';
import { createFacts } from './facts.ts';
import { OPERATIONS } from './operations.ts';
import { identityOf } from './repos.ts';
import { askDefinitely, request } from './requests.ts';
import { toRunFacts } from './runs.ts';

const PER_PAGE = 100;
/** A workflow's token covers one repo; an App's may cover thousands, and is looked through this far. */
const MAX_PAGES = 10;

/** GitHub as a token sees it that came with a request; the token appears in no log line and no failure. */
export function createOpenTokenView(connection: GithubConnection): OpenTokenView {
  const { clock } = connection;
  return ({ token, timeLimit }) => {
    const until = clock.now() + timeLimit;
    return viewThrough((run) =>
      openPassingCalls(connection, { token, timeLimit: Math.max(until - clock.now(), 1) })(run),
    );
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
