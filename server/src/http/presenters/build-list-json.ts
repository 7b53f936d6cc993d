import type { ListedBuilds } from '../../use-cases/builds/list-builds.ts';
import type { Addresses } from './addresses.ts';
import { presentBuildFacts } from './build-json.ts';

interface ListOptions {
  /** E-mail addresses are null unless the caller is trusted with them (rule 30). */
  readonly showEmail: boolean;
  /** Whether the request named a page. */
  readonly pageAsked: boolean;
}

/**
 * `GET /<service>/<owner>/<repo>.json`. Coveralls answers the newest build alone where no page is named, and tools
 * read its keys;
 * so they stand beside the list then.
 */
export function presentBuildList(listed: ListedBuilds, addresses: Addresses, options: ListOptions): object {
  const { repo, page, pages, total } = listed;
  const builds = listed.builds.map((build) => presentBuildFacts({ build, repo }, addresses, options));
  // Rule 29: an unverified build never stands for a repo that has others.
  const newest = builds.find(({ unverified }) => unverified !== true) ?? builds[0];
  return { ...(options.pageAsked ? {} : newest), page, pages, total, builds };
}
