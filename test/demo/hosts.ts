import type { RepoService } from '../../server/src/core/repo/repo.ts';
import type { HostContents, HostSetUp } from '../support/github-stand-in/host-set-up.ts';
import { BITBUCKET, BITBUCKET_SERVER } from './bitbucket.ts';
import type { Commits, Moment } from './commits.ts';
import { FORGEJO, GITEA } from './gitea.ts';
import { GITHUB } from './github.ts';
import { GITLAB } from './gitlab.ts';
import type { TestedCommits } from './tested.ts';

/** A git host that the demo can be told on. */
export interface DemoHost {
  readonly service: RepoService;
  readonly name: string;
  /** `Pull request 7` */
  pullRequest(number: number): string;
  /** What is said of the stand-in, and of a fork's pull request, as ends of sentences. */
  readonly words: { readonly isChecked: string; readonly ofFork: string };
  /** What its CI checks out. */
  readonly tested: TestedCommits;
  /** Whether a fork's pull request is tested, and its run can be vouched for. */
  readonly runsForks: boolean;
  start(options: { readonly now: () => number }): Promise<StartedHost>;
}

/** A stand-in of it that runs, and its CI. */
export interface StartedHost extends HostSetUp, HostContents {
  readonly url: string;
  /** What the server needs to speak with it. */
  readonly env: Readonly<Record<string, string>>;
  requests(): readonly unknown[];
  /** Something that was sent and that its API does not know. */
  violation(): string | undefined;
  /** Begins a run, which the host can be asked about. */
  beginRun(run: CiRun): void;
  /** Runs one step. `inputs`: by the names of the action. */
  runStep(step: CiStep): Promise<StepResult>;
  close(): Promise<void>;
}

export interface CiRun {
  readonly repo: string;
  readonly run: string;
  readonly on: Moment;
  readonly commits: Commits;
}

export interface CiStep extends CiRun {
  readonly workspace: string;
  readonly server: string;
  readonly repoToken: string;
  readonly flag?: string | undefined;
  readonly file?: string | undefined;
  readonly carryforward?: string | undefined;
}

export interface StepResult {
  readonly jobUrl: string | undefined;
  readonly buildUrl: string | undefined;
  readonly coverage: string;
  readonly verdict: string;
}

/** By the name that `--host` takes: another one is a file and an entry here. */
export const DEMO_HOSTS: Readonly<Record<string, DemoHost>> = {
  github: GITHUB,
  gitlab: GITLAB,
  gitea: GITEA,
  forgejo: FORGEJO,
  bitbucket: BITBUCKET,
  'bitbucket-server': BITBUCKET_SERVER,
};
