import type { CiSnippets } from '../core/repo/ci-snippets.ts';
import type { GitHost, GitHosts } from '../core/repo/git-host.ts';
import type { RunClaims } from '../core/repo/run-claims.ts';
import type { TrustProblem } from '../core/repo/workflow-run.ts';
import type { HostAppSetup } from './host-apps.ts';
import type { AskCheckup } from './host-checkup.ts';
import type { OpenTokenView, Provider, SignedInApp } from './provider.ts';
import type { HostWebhook } from './provider-events.ts';
import type { HostSignIn } from './sign-in.ts';

/** A git host as a module: everything that is its own (docs/architecture/recipes.md). */
export interface Host extends GitHost {
  /** Statuses, comments, facts and check runs, by this server's credential. */
  readonly provider: Provider | undefined;
  readonly app: SignedInApp | undefined;
  /** Reads the host's webhook messages, at `/hooks/<service>`; undefined: it sends none. */
  readonly webhook: HostWebhook | undefined;
  readonly openTokenView: OpenTokenView;
  /** The same host by another credential, as a repo may have one of its own; left out: it has the server's alone. */
  withToken?(token: string): Host | undefined;
  /** What its CI's runs prove themselves by; undefined: it has none. */
  readonly idTokens: HostIdTokens | undefined;
  /** Where people sign in with it; undefined: that is not set up. */
  readonly signIn: HostSignIn | undefined;
  /** How its App is made at `/setup`; undefined: it has none that this server could be. */
  readonly appSetup: HostAppSetup | undefined;
  /** How it sees this server: its clock, this server's rights and rate limit there. */
  readonly checkUp: AskCheckup;
  /** What people paste into its own CI's file; undefined: it has no CI, so the command's lines are shown. */
  readonly snippets?: CiSnippets | undefined;
  /** Addresses of a repo's pages for people. */
  linksOf(repo: string): HostLinks;
}

export interface HostIdTokens {
  /** Whose ID tokens are taken, as OpenID Connect names issuers; `*` stands for one part of an address. */
  readonly issuers: readonly string[];
  /**
   * `wrong`: the claim that is missing or that the host would not write so. What the token leaves out is asked of the
   * host: throws its ProviderFailure.
   */
  readClaims(claims: Readonly<Record<string, unknown>>, asking: ClaimsAsking): ReadClaims | Promise<ReadClaims>;
}

export type ReadClaims = RunClaims | { readonly wrong: string } | TrustProblem;

/** What else is known where an ID token is read. */
export interface ClaimsAsking {
  readonly issuer: string;
  /** By this server's credential; undefined: it has none. */
  readonly provider: Provider | undefined;
  /** What the repo of a host's id is called here; undefined: it is not here. */
  nameOf(id: string): Promise<string | undefined>;
}

export interface HostLinks {
  /**
   * Lines of a file at a commit; undefined if the host has no web page. The file comes percent-encoded, the commit as
   * it was uploaded.
   */
  readonly lines:
    | ((place: {
        readonly commit: string;
        readonly file: string;
        readonly first: number;
        readonly last: number;
      }) => string)
    | undefined;
  /** The page of a pull request; undefined as above. */
  readonly pull: ((number: number) => string) | undefined;
}

export type Hosts = GitHosts<Host>;
