import type { BuildSummary } from '../../core/builds/build-summary.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import type { ListedBuilds } from '../list-builds.ts';
import { presentBuildFacts } from './build-json.ts';

interface ListOptions {
  /** E-mail addresses are null unless the caller is trusted with them (rule 30). */
  readonly showEmail: boolean;
  /** Whether the request named a page. */
  readonly pageAsked: boolean;
}

/**
 * `GET /<service>/<owner>/<repo>.json`. Coveralls answers the newest build alone if no page is named, and tools
 * read its keys;
 * so they stand beside the list then.
 */
export function presentBuildList(
  listed: ListedBuilds,
  addresses: Addresses,
  options: ListOptions,
): Answer<'buildList'> {
  const { repo, page, pages, total } = listed;
  const present = (build: BuildSummary) => presentBuildFacts({ build, repo }, addresses, options);
  const builds = listed.builds.map(present);
  const newest = options.pageAsked || listed.newest === undefined ? {} : present(listed.newest);
  return { ...newest, page, pages, total, builds };
}
