/** Whether an issuer is among those of a host; `*` stands for one part of an address. */
export function isAmongIssuers(issuers: readonly string[], issuer: string): boolean {
  const parts = issuer.split('/');
  return issuers.some((one) => {
    const wanted = one.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (part === '*' && ONE_PART.test(parts[at] ?? '')))
    );
  });
}

/** Nothing that would lead to another URL, as `..` and `?` do. */
const ONE_PART = /^(?!\.+$)[\w.%-]+$/;

/** What a git host's ID token says of the run that asked for it. Ids as texts. */
export interface RunClaims {
  /** The host's id, and `<owner>/<name>` as the host writes it today. */
  readonly repo: { readonly id: string; readonly name: string };
  readonly run: string;
  /** The host's count of the workflow's runs. */
  readonly number: string | undefined;
  /** Runs have a number there, which the token does not include. */
  readonly hidesNumber?: true;
  /** 1 for the first. */
  readonly attempt: number;
  /** What the run checks out: on a pull request the merge commit. In lower case. */
  readonly commit: string;
  /** As git names it: `refs/heads/main`. */
  readonly ref: string;
  /** The branch of a pull request's head; undefined elsewhere. */
  readonly headBranch: string | undefined;
  /** The host's own word for what started it. */
  readonly event: string;
  /** Its pull request, if the ref does not name it. */
  readonly pullRequest?: number | undefined;
  /** The login on whose behalf it runs. */
  readonly actor: string | undefined;
  /** The token names only the run; the host answered everything else about that run. */
  readonly wasAsked?: true;
}
