import type { RepoService } from '../../../server/src/core/repo/repo.ts';
import type { Faults } from '../github-stand-in/faults.ts';
import { startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import type { HostContents, HostSetUp } from '../github-stand-in/host-set-up.ts';
import type { LoggedRequest } from '../github-stand-in/request-log.ts';
import { startGitlabStandIn } from '../gitlab-stand-in/gitlab-stand-in.ts';

/** A git host that is in trouble. */
export interface ChaosHost {
  readonly service: RepoService;
  /** Whether a merge commit that was only tested shows the statuses too. */
  readonly marksMerges: boolean;
  /** Whether the runs of its CI say of a merge commit what its head is, as no message does. */
  readonly statesHeads: boolean;
  /** What it shows a build in trouble as. */
  readonly shownError: 'error' | 'failure';
  start(): Promise<ChaosStand>;
}

export interface ChaosStand extends HostSetUp, HostContents {
  /** What servers need to speak with it. */
  readonly env: Readonly<Record<string, string>>;
  readonly faults: Faults;
  requests(): readonly LoggedRequest[];
  /** What was sent that its API does not know. */
  violations(): readonly unknown[];
  /** Whether a request wrote one of the comments of a pull request. */
  isCommentOf(request: LoggedRequest, place: CommentsPlace): boolean;
  close(): Promise<void>;
}

export interface CommentsPlace {
  readonly repo: string;
  readonly pullRequest: number;
  readonly ids: readonly number[];
}

const GITHUB: ChaosHost = {
  service: 'github',
  marksMerges: false,
  statesHeads: false,
  shownError: 'error',
  async start() {
    const github = await startGithubStandIn({ hourlyLimit: 1_000_000 });
    return {
      ...github,
      env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token, GITHUB_WRITES_PER_SECOND: '100' },
      isCommentOf({ method, path }, { repo, pullRequest, ids }) {
        const made = `POST /repos/${repo}/issues/${pullRequest}/comments`;
        const edited = ids.map((id) => `PATCH /repos/${repo}/issues/comments/${id}`);
        return [made, ...edited].includes(`${method} ${path}`);
      },
    };
  },
};

const GITLAB: ChaosHost = {
  service: 'gitlab',
  marksMerges: true,
  statesHeads: true,
  shownError: 'failure',
  async start() {
    const gitlab = await startGitlabStandIn();
    return {
      ...gitlab,
      env: { GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token },
      isCommentOf({ method, path }, { repo, pullRequest, ids }) {
        const notes = `/api/v4/projects/${gitlab.idOf(repo)}/merge_requests/${pullRequest}/notes`;
        return [`POST ${notes}`, ...ids.map((id) => `PUT ${notes}/${id}`)].includes(`${method} ${path}`);
      },
    };
  },
};

/** By service. */
export const CHAOS_HOSTS = { github: GITHUB, gitlab: GITLAB } as const;
