import type { Answer } from './answer.ts';
import { failure, notFound, Refusal } from './answer.ts';
import { isCovered } from './apps.ts';
import type { Caller, PullRequestRecord, RepoRecord, World } from './model.ts';

/** One call of one operation: checked path, query and body, and who calls. */
export interface Call {
  readonly world: World;
  readonly caller: Caller;
  /** Values of the path template's names, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** The address that was asked, without its query: Link headers begin with it. */
  readonly address: string;
}

/** An operation of the API: `template` is the path exactly as GitHub's OpenAPI description writes it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly template: string;
  readonly run: (call: Call) => Answer;
}

export function paramOf(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`The path template has no {${name}}`);
  return value;
}

/** The repo that the path names; GitHub answers 404 for what a token may not see as well. */
export function repoOf(call: Call): RepoRecord {
  const repo = call.world.repos.get(`${paramOf(call, 'owner')}/${paramOf(call, 'repo')}`.toLowerCase());
  if (!repo || (repo.private && !covers(call.caller, repo))) throw notFound();
  return repo;
}

/** Whether the repo is one of those that the token is for. */
export function covers({ repos, installation }: Caller, repo: RepoRecord): boolean {
  const { owner, name } = repo;
  if (installation) return isCovered(installation, repo);
  return repos === undefined || repos.some((one) => one.toLowerCase() === `${owner}/${name}`.toLowerCase());
}

export function pullRequestOf(repo: RepoRecord, number: string): PullRequestRecord {
  const pullRequest = repo.pullRequests.get(Number(number));
  if (!pullRequest) throw notFound();
  return pullRequest;
}

/** Ends the call where the token may only read, in the words that GitHub uses for each kind of token. */
export function requireWrite(call: Call): void {
  const { access, installation } = call.caller;
  const isElsewhere = installation !== undefined && !isCovered(installation, repoOf(call));
  if (access === 'write' && !isElsewhere) return;
  const kind = call.caller.kind === 'installation' ? 'integration' : 'personal access token';
  throw new Refusal(failure(403, `Resource not accessible by ${kind}`));
}

const patterns = new Map<string, RegExp>();

/**
 * Values of a template's names when the path fits it. Names of refs may hold slashes (GitHub marks them
 * `x-multi-segment`), all others are one segment.
 */
export function matchTemplate(template: string, path: string): Record<string, string> | undefined {
  let pattern = patterns.get(template);
  if (!pattern) {
    const source = template.replace(
      /\{(\w+)\}/g,
      (_, name: string) => `(?<${name}>${/^(ref|sha|basehead)$/.test(name) ? '.+' : '[^/]+'})`,
    );
    pattern = new RegExp(`^${source}$`);
    patterns.set(template, pattern);
  }
  const match = pattern.exec(path);
  if (!match) return undefined;
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}
