import type { Failure } from '../../core/failure.ts';
import type { HostTerms } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';

/** Addresses of builds and jobs, for texts that may stand outside a page. */
export interface PageLinks {
  build(id: number): string;
  job(id: number): string;
}

export type RepoAddress = Pick<Repo, 'service' | 'name'>;

/** What a choice in a page's address may hold; undefined is left out. */
export type LinkQuery = Readonly<Record<string, string | number | undefined>>;

/** The URLs of our own pages, from the root of the host on. No token is passed on with them. Pages count from 1. */
export interface SiteLinks extends PageLinks {
  home(query?: LinkQuery): string;
  /** The repos of one owner. */
  owner(service: string, owner: string, query?: LinkQuery): string;
  signIn(returnTo?: string): string;
  /** Where the form of a sign-in link goes. */
  signInByLink(): string;
  /** By a git host or an OpenID provider. */
  signInWith(provider: string, returnTo: string): string;
  signOut(): string;
  /** Somebody's own page, or what one of its forms sends to. */
  account(form?: string): string;
  /** Who else reads a repo. */
  sharingOf(repo: RepoAddress): string;
  /** Where its forms are sent. */
  sharing(form: 'links' | 'revoke' | 'members'): string;
  /** What administrators see of accounts, or where a form about one is sent. */
  users(form?: string, query?: LinkQuery): string;
  /** What programs may ask. */
  api(): string;
  apiDocument(): string;
  /** A page of the docs by its name, as `backup`; the list of all pages. */
  docs(page?: string): string;
  admin(): string;
  /** Who did what. */
  audit(query?: LinkQuery): string;
  /** Where a repo is made. */
  newRepo(): string;
  setup(): string;
  /** The page of a build, from a part of its flags or jobs on; `at`: which of the tables is looked at. */
  build(id: number, part?: { readonly flags: number; readonly jobs: number; readonly at: 'checks' | 'jobs' }): string;
  /** The lines to cover of one of a build's checks, by its id, or of `all`; `at`: another part of the page. */
  check(id: number, check: string, at?: 'cover' | 'elsewhere'): string;
  /** Where the form posts to that accepts a build's failure, or takes that back. */
  accept(id: number, undo?: 'undo'): string;
  /** A repo's builds; those of one branch where it is given. */
  repo(repo: RepoAddress, part?: { readonly branch?: string | undefined; readonly page?: number }): string;
  /** A repo's own page of this name, as `flags`, `settings`, `uploads`, `trend.json`. */
  ofRepo(repo: NonNullable<Failure['repo']>, page: string, query?: LinkQuery): string;
  /** What moved between two builds, by whatever names they have. */
  compare(repo: RepoAddress, base: string, head: string): string;
  /** A repo's builds as JSON. */
  buildList(repo: RepoAddress, query?: LinkQuery): string;
  pull(repo: RepoAddress, number: number, page?: number): string;
  /** How the repo's host speaks of what is linked to. */
  terms(repo: Pick<Repo, 'service'>): HostTerms;
  /** `#7` */
  numberOf(repo: Pick<Repo, 'service'>, pullRequest: number): string;
  /** A build's merged report in a format of others. */
  report(id: number, format: 'lcov.info' | 'cobertura.xml'): string;
  /** Changes when the page of a build would say something else. */
  mark(id: number): string;
  /** What a commit's newest build says. */
  commit(repo: RepoAddress, commit: string): string;
  /** The files of a commit's build, or of a build by its id, in one folder or (without `path`) all of them. */
  tree(repo: RepoAddress, commit: string | number, path?: string, query?: LinkQuery): string;
  /** One source file, at a line or at a range such as `12-20`; beyond the first page of a long file too. */
  file(repo: RepoAddress, commit: string | number, path: string, line?: number | string): string;
  badge(repo: RepoAddress, query?: LinkQuery): string;
  /** The files of a build, and one of them, where its repo and commit are not at hand: these lead to the above. */
  sourceFiles(buildId: number): string;
  source(buildId: number, file: string): string;
}
