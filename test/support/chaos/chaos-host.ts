import type { RepoService } from '../../../server/src/core/repo/repo.ts';
import { startBitbucketServerStandIn } from '../bitbucket-server-stand-in/bitbucket-server-stand-in.ts';
import { startBitbucketStandIn } from '../bitbucket-stand-in/bitbucket-stand-in.ts';
import { startGiteaStandIn } from '../gitea-stand-in/gitea-stand-in.ts';
import type { FlavorName } from '../gitea-stand-in/present.ts';
import type { Faults } from '../github-stand-in/faults.ts';
import { startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import type { HostContents, HostSetUp } from '../github-stand-in/host-set-up.ts';
import type { LoggedRequest } from '../github-stand-in/request-log.ts';
import { startGitlabStandIn } from '../gitlab-stand-in/gitlab-stand-in.ts';

/** A git host that is in trouble. */
export interface ChaosHost {
  readonly service: RepoService;
  /** Whether the runs of its CI test merge commits of pull requests, or their heads alone. */
  readonly testsMerges: boolean;
  /** Whether a merge commit that was only tested shows the statuses too. */
  readonly marksMerges: boolean;
  /** Whether the runs of its CI say of a merge commit what its head is, as no message does. */
  readonly statesHeads: boolean;
  /** Whether the build's own context stands for all checks, since statuses are counted there. */
  readonly sumsUp: boolean;
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
  testsMerges: true,
  marksMerges: false,
  statesHeads: false,
  shownError: 'error',
  sumsUp: false,
  async start() {
    const github = await startGithubStandIn({ hourlyLimit: 1_000_000 });
    return {
      ...github,
      env: { GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token, GITHUB_WRITES_PER_SECOND: '100' },
      isCommentOf({ method, path }, { repo, pullRequest, ids }) {
        const issues = `/repos/${repo}/issues`;
        return isWrite(`${method} ${path}`, {
          made: `${issues}/${pullRequest}/comments`,
          edited: `${issues}/comments`,
          ids,
        });
      },
    };
  },
};

const GITLAB: ChaosHost = {
  service: 'gitlab',
  testsMerges: true,
  marksMerges: true,
  statesHeads: true,
  shownError: 'failure',
  sumsUp: false,
  async start() {
    const gitlab = await startGitlabStandIn();
    return {
      ...gitlab,
      env: { GITLAB_URL: gitlab.url, GITLAB_TOKEN: gitlab.token },
      isCommentOf({ method, path }, { repo, pullRequest, ids }) {
        const notes = `/api/v4/projects/${gitlab.idOf(repo)}/merge_requests/${pullRequest}/notes`;
        return isWrite(`${method} ${path}`, { made: notes, ids });
      },
    };
  },
};

const giteaOf = (service: FlavorName, prefix: 'GITEA' | 'FORGEJO'): ChaosHost => ({
  ...{ service, testsMerges: false, marksMerges: false, statesHeads: false, shownError: 'error', sumsUp: false },
  async start() {
    const gitea = await startGiteaStandIn({ flavor: service });
    return {
      ...gitea,
      env: { [`${prefix}_URL`]: gitea.url, [`${prefix}_TOKEN`]: gitea.token },
      isCommentOf({ method, path }, { repo, pullRequest, ids }) {
        const issues = `/api/v1/repos/${repo}/issues`;
        return isWrite(`${method} ${path}`, {
          made: `${issues}/${pullRequest}/comments`,
          edited: `${issues}/comments`,
          ids,
        });
      },
    };
  },
});

const BITBUCKET: ChaosHost = {
  ...{
    service: 'bitbucket',
    testsMerges: false,
    marksMerges: false,
    statesHeads: false,
    shownError: 'failure',
    sumsUp: true,
  },
  async start() {
    const bitbucket = await startBitbucketStandIn({ hourlyLimit: 1_000_000 });
    return {
      ...bitbucket,
      env: { BITBUCKET_API_URL: bitbucket.url, BITBUCKET_URL: bitbucket.web, BITBUCKET_TOKEN: bitbucket.token },
      isCommentOf: ({ method, path }, { repo, pullRequest, ids }) =>
        isWrite(`${method} ${path}`, { made: `/2.0/repositories/${repo}/pullrequests/${pullRequest}/comments`, ids }),
    };
  },
};

const BITBUCKET_SERVER: ChaosHost = {
  ...{
    service: 'stash',
    testsMerges: false,
    marksMerges: false,
    statesHeads: false,
    shownError: 'failure',
    sumsUp: true,
  },
  async start() {
    const center = await startBitbucketServerStandIn();
    return {
      ...center,
      env: { BITBUCKET_SERVER_URL: center.url, BITBUCKET_SERVER_TOKEN: center.token },
      isCommentOf({ method, path }, { repo, pullRequest, ids }) {
        const [project, slug] = repo.split('/');
        const pulls = `/git/rest/api/latest/projects/${project}/repos/${slug}/pull-requests`;
        return isWrite(`${method} ${path}`, { made: `${pulls}/${pullRequest}/comments`, ids });
      },
    };
  },
};

interface CommentPaths {
  /** Where one is made. */
  readonly made: string;
  /** What comes before the id of one that is edited. Default: where it is made. */
  readonly edited?: string;
  readonly ids: CommentsPlace['ids'];
}

function isWrite(asked: string, { made, edited = made, ids }: CommentPaths): boolean {
  return (
    asked === `POST ${made}` || ids.some((id) => asked === `PUT ${edited}/${id}` || asked === `PATCH ${edited}/${id}`)
  );
}

/** By service. */
export const CHAOS_HOSTS = {
  github: GITHUB,
  gitlab: GITLAB,
  gitea: giteaOf('gitea', 'GITEA'),
  forgejo: giteaOf('forgejo', 'FORGEJO'),
  bitbucket: BITBUCKET,
  stash: BITBUCKET_SERVER,
} as const;
