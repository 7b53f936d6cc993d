import { type GithubStandIn, startGithubStandIn } from '../github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../service.ts';
import { type CommitGraph, createCommitGraph } from './commit-graph.ts';
import { beginStory, type Story } from './story.ts';

/** A git host and the service, for the stories of one test file. */
export interface Stage {
  readonly github: GithubStandIn;
  readonly service: Service;
  newGit(): CommitGraph;
  /** A repo whose history is that of `git`. */
  begin(git: CommitGraph, options?: { readonly defaultBranch?: string }): Promise<Story>;
  /** Ends everything; throws if the service asked the host for what GitHub does not offer. */
  end(): Promise<void>;
}

/** Late jobs wait for a close: none comes by itself while a test runs. */
const LATE_JOBS_MERGED_LATER = { LATE_JOB_PERIOD: '1h' };

type Env = Readonly<Record<string, string>>;

export async function startStage(env: Env | ((github: GithubStandIn) => Env) = {}): Promise<Stage> {
  const github = await startGithubStandIn();
  const own = typeof env === 'function' ? env(github) : env;
  const service = await startService({ github, env: { ...LATE_JOBS_MERGED_LATER, ...own } });
  const merges = new Map<CommitGraph, Map<string, string>>();
  let stories = 0;
  return {
    github,
    service,
    newGit() {
      const git = createCommitGraph();
      merges.set(git, new Map());
      return git;
    },
    begin(git, options = {}) {
      stories += 1;
      return beginStory(
        { service, github, git, merges: merges.get(git) ?? new Map() },
        { repo: `octo/story-${stories}`, ...options },
      );
    },
    async end() {
      await service.stop();
      const violations = github.violations();
      await github.close();
      if (violations.length > 0) throw new Error(`GitHub offers no such thing: ${JSON.stringify(violations)}`);
    },
  };
}
