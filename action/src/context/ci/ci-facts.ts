/** Variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a CI says about its run; unknown values are missing. */
export interface CiFacts {
  /** As the official client sends it. */
  readonly serviceName?: string;
  readonly number?: string;
  readonly jobId?: string;
  readonly jobNumber?: string;
  /** The git host's id of the run, where it is none of the above. */
  readonly runId?: string;
  /** A pull request's own branch; a tag as `refs/tags/<name>`. */
  readonly branch?: string;
  /** Digits. */
  readonly pullRequest?: string;
  /** What was checked out, perhaps a merge commit. */
  readonly sha?: string;
  /** A pull request's head, where the CI names it beside a merge commit. */
  readonly headSha?: string;
  readonly baseBranch?: string;
  readonly baseSha?: string;
  readonly buildUrl?: string;
  readonly jobUrl?: string;
  /** `<owner>/<name>` */
  readonly repoName?: string;
  /** Digits: 1 for the first run. */
  readonly attempt?: string;
  readonly eventType?: string;
}

/** One CI that sets variables of its own. */
export interface KnownCi {
  /** As people call it. */
  readonly title: string;
  isHere(env: Environment): boolean;
  /** Empty texts and those that mean "none" may stand for what is missing. */
  read(env: Environment): { readonly [K in keyof CiFacts]?: string | undefined };
}

/** The facts that are stated: no empty text, and a pull request only where there is a number. */
export function statedFacts(facts: { readonly [K in keyof CiFacts]?: string | undefined }): CiFacts {
  const pullRequest = /^(?:https?:.*\D)?(\d+)$/.exec(facts.pullRequest ?? '')?.[1];
  const attempt = /^\d+$/.test(facts.attempt ?? '') ? facts.attempt : undefined;
  const entries = Object.entries({ ...facts, pullRequest, attempt });
  return Object.fromEntries(entries.filter(([, text]) => text !== undefined && text !== '')) as CiFacts;
}

/** The first variable that is set and not empty. */
export function firstOf(env: Environment, ...names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((text) => text !== undefined && text !== '');
}

/** An address of parts, all of which have to be known. */
export function addressOf(base: string | undefined, ...parts: readonly (string | undefined)[]): string | undefined {
  return base && parts.every(Boolean) ? [base.replace(/\/$/, ''), ...parts].join('/') : undefined;
}

export function tagOf(name: string | undefined): string | undefined {
  return name ? `refs/tags/${name}` : undefined;
}
