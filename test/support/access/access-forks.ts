import { type CoverageApi, job, jsonPost } from '../coverage-api.ts';
import type { Target } from './access-targets.ts';

/** The run of a fork's pull request, which gets no secrets, or one of the repo's own that tests it and has them. */
export interface ForkRunOfAccess {
  readonly run: string;
  readonly commit: string;
  /** What a job or close of it says beside its content. */
  readonly fields: Readonly<Record<string, string>>;
  /** The host's token of the fork's run; the other run has the repo's. */
  readonly token: string;
  /** Whose ID token the fork's run has instead, where the host has no other. */
  readonly idTokenOf?: string;
}

/** A run of a fork for each of the two repos at the host. */
export interface AccessForks {
  /** That of acme/open, and with what it opens a build: by its id alone, or its token; undefined: no fork's run may. */
  readonly opens: { readonly run: ForkRunOfAccess; readonly token: string | undefined } | undefined;
  /** That of the repo, or of the repo at the host that is as visible: its fields name the one that is asked about. */
  of(target: Target): ForkRunOfAccess;
  /** The repo's own run that tests the same, with the repo token. */
  after(target: Target): ForkRunOfAccess;
}

/** The repos that have forks. */
export const FORKED = ['acme/closed', 'acme/open'] as const;
type OfBoth = Readonly<Record<(typeof FORKED)[number], ForkRunOfAccess>>;

export function ofBoth(runOf: (repo: string) => ForkRunOfAccess): OfBoth {
  const [closed, open] = FORKED;
  return { [closed]: runOf(closed), [open]: runOf(open) };
}

/** `openBy`: how a fork's run opens a build; default: it may not. */
export function forksOf(own: OfBoth, after: OfBoth, openBy?: 'id' | 'token'): AccessForks {
  const pick = (all: OfBoth, { name }: Pick<Target, 'name'>): ForkRunOfAccess => {
    const found = all[name === 'acme/open' ? name : 'acme/closed'];
    return { ...found, fields: { ...found.fields, repo_name: name } };
  };
  const open = pick(own, { name: 'acme/open' });
  return {
    opens: openBy && { run: open, token: openBy === 'token' ? open.token : undefined },
    of: (target) => pick(own, target),
    after: (target) => ({ ...pick(after, target), token: target.token }),
  };
}

/** A build that the run may close where it is parallel; without a token, by the run's id. */
export async function openForkBuild(
  send: CoverageApi['send'],
  { commit, fields }: ForkRunOfAccess,
  { token, parallel }: { readonly token: string | undefined; readonly parallel: boolean },
): Promise<void> {
  const { repo_token: _, ...content } = job({ repo_token: '', commit_sha: commit });
  const signed = token === undefined ? {} : { repo_token: token };
  const { status, text } = await send('/api/v1/jobs', jsonPost({ ...content, ...fields, ...signed, parallel }));
  if (status !== 200) throw new Error(`the upload of a fork's run answered ${status}: ${text}`);
}
