import type { AccessLost, RepoService } from './repo.ts';
import { PULL_REQUEST } from './sentences.ts';

/** What core has to know of a git host; what calls it is in `ports/host.ts`. */
export interface GitHost {
  readonly service: RepoService;
  /** As people write it, inside sentences: `GitHub`. */
  readonly name: string;
  /** The client that uses this server's credential; undefined: none is set. */
  readonly provider: object | undefined;
  /** The App that this server signs in as; undefined: it signs in otherwise, or the host has no Apps. */
  readonly app: { readonly id: number } | undefined;
  /** The settings that hold this server's credential, as the end of "set ...". */
  readonly credential: string;
  /** Remarks beside lines of code; undefined: the host has none. */
  readonly checkRuns: CheckRunSupport | undefined;
  /** What took an App's access away, and what gives it back, as the end of a sentence. */
  readonly accessLosses: Readonly<Record<AccessLost['how'], string>>;
  /** Its CODEOWNERS, if it is in the dialect that is read here; left out: it has another, or none. */
  readonly codeOwners?: CodeOwnersFile;
  readonly terms: HostTerms;
  readonly refs: HostRefs;
  readonly runs: HostRuns;
  readonly tokens: HostTokens;
}

export interface CodeOwnersFile {
  /** Paths from the root of the repo: the first that is there is read. */
  readonly places: readonly string[];
  /** A larger one counts for nothing. */
  readonly maxBytes: number;
}

/** How a host speaks of its things, and what it shows. */
export interface HostTerms {
  /** What people ask to be merged: `pull request`. */
  readonly pullRequest: string;
  /** What stands before its number: `#`. */
  readonly symbol: string;
  /** Code points that the text of a commit status may have. */
  readonly maxDescription: number;
  /** Branches require a number of passing statuses, whatever their names: then one speaks for all. */
  readonly countsStatuses?: true;
  readonly comment: CommentTerms;
  /** What the message of a pull request's temporary merge commit says that it merges. */
  mergedBy(message: string): MergedCommits | undefined;
}

/** What a host makes of a comment. */
export interface CommentTerms {
  /** Characters. */
  readonly maxLength: number;
  /** Whether it takes HTML, by which parts are folded and made small. */
  readonly html: boolean;
  /** The first line, which no reader sees and by which our comment is found again; `text` is ours. */
  marker(text: string): string;
}

/** For a repo that is at no host. */
export const USUAL_TERMS: HostTerms = {
  pullRequest: PULL_REQUEST,
  symbol: '#',
  maxDescription: 140,
  comment: {
    maxLength: 65_000,
    html: true,
    marker: (text) => `<!-- ${text.replaceAll('-->', '').replaceAll('--', '-%2D')} -->`,
  },
  mergedBy: () => undefined,
};

/** `#7`, `!7` */
export function numberOf({ symbol }: Pick<HostTerms, 'symbol'>, pullRequest: number): string {
  return `${symbol}${pullRequest}`;
}

/** The words of a repo's host. What is at none may have been tested at any: by whichever knows the merge commit. */
export function termsOf({ of, all }: Pick<GitHosts, 'of' | 'all'>, repo: { readonly service: RepoService }): HostTerms {
  return of(repo)?.terms ?? { ...USUAL_TERMS, mergedBy: (message) => firstMerge(all, message) };
}

function firstMerge(hosts: readonly Pick<GitHost, 'terms'>[], message: string): MergedCommits | undefined {
  return hosts.map(({ terms }) => terms.mergedBy(message)).find((found) => found !== undefined);
}

export interface CheckRunSupport {
  /** Why this server can make none, as the end of a sentence; undefined: it can. */
  readonly refusal: string | undefined;
}

/** What the host puts into names of branches and refs. */
export interface HostRefs {
  /** The number of the pull request whose ref it is. */
  pullRequestOf(ref: string): number | undefined;
  /** What the branch, or the ref, of a merge queue stands for. */
  queueOf(branch: string): QueuedRef | undefined;
}

export interface MergedCommits {
  readonly head: string;
  readonly base: string;
}

export interface QueuedRef {
  readonly pullRequest: number;
  /** The branch that the queue merges into, and the commit that this merge was made on, where the name holds them. */
  readonly baseBranch?: string;
  readonly baseCommit?: string;
}

/** How uploads name the host's own CI and its runs. */
export interface HostRuns {
  /** The `service_name` of what the server itself states of a run. */
  readonly serviceName: string;
  /** Whether a `service_name` is one of this host's own CI. */
  isServiceName(text: string): boolean;
  isRunId(text: string): boolean;
  /** By what a fork's run can be believed without a secret (rule 29); undefined: none can. */
  readonly forkProof: 'run-id' | 'job-token' | undefined;
  /** Whether an address is a page of the run. */
  isPageOf(url: string, runId: string): boolean;
  /** `event`: the host's own word. */
  triggerOf(event: string): RunTrigger;
  /** The name of a bot whose runs count as those of a fork; undefined for everybody else's login. */
  botWithoutSecrets(login: string): string | undefined;
}

/**
 * What a run was started for. `review`: something that was said of a pull request, whose merge commit it tests too.
 * `pull-request-base`: a pull request as well, of which it tests nothing. `other-run`: that another run ended, of which
 * its own head says nothing.
 */
export type RunTrigger =
  | 'push'
  | 'pull-request'
  | 'review'
  | 'pull-request-base'
  | 'merge-queue'
  | 'other-run'
  | 'other';

/** Whom a git host's token stands for: a person, or an App's installation, as a workflow's own token does. */
export type ProviderTokenKind = 'person' | 'installation';

/** The host's own tokens, which it vouches for when one comes as `repo_token` (rule 28). */
export interface HostTokens {
  /** Undefined for what the host has not marked as its own: a secret of unknown origin is never sent there. */
  kindOf(token: string): ProviderTokenKind | undefined;
  /** What a text looks like, such as `a GitHub token`; undefined for what is none of the host's. */
  describe(token: string): string | undefined;
  readonly words: TokenWords;
}

/** What refusals of such tokens name. */
export interface TokenWords {
  /** Who may use one, and what a job has without being given anything. */
  readonly accepted: string;
  readonly ofJob: string;
  /** The variables that hold a run's id and the commit that it checked out. */
  readonly runId: string;
  readonly commit: string;
  /** Where the host says that a person may push, and which repos a token covers. */
  readonly mayPush: string;
  readonly covered: string;
  /** A sentence: what a job needs so that its run is shown to it. */
  readonly seeRun: string;
  /** Sentences: what a token needs that was refused. */
  readonly needs: string;
  /** The setting that says where the host is. */
  readonly address: string;
}

/** The git hosts that this server knows, by service. */
export interface GitHosts<Host extends GitHost = GitHost> {
  /** Undefined: a repo of no host, or of one that this version does not know. */
  of(repo: OfHost): Host | undefined;
  readonly all: readonly Host[];
}

/** `hostToken`: the token that the repo has of its own, if any: its host may be asked by that alone. */
export interface OfHost {
  readonly service: RepoService;
  readonly hostToken?: unknown;
}

/** `byRepoTokens`: the same hosts as repos with tokens of their own have them. */
export function listHosts<Host extends GitHost>(all: readonly Host[], byRepoTokens = all): GitHosts<Host> {
  const [usual, byTokens] = [all, byRepoTokens].map((hosts) => new Map(hosts.map((host) => [host.service, host])));
  return { all, of: ({ service, hostToken }) => (hostToken === undefined ? usual : byTokens)?.get(service) };
}
