import type { ParsedUrlQuery } from 'node:querystring';
import { Failure, quoteValue } from '../../core/failure.ts';
import { REPO_SERVICES } from '../../core/repo/repo.ts';
import { type RepoAddress, readRepoAddress } from '../../core/repo/repo-name.ts';
import type { Paging } from '../paging.ts';

/** How many entries a list has on a page unless `per_page` says otherwise, and at most. */
export interface PageSizes {
  readonly default: number;
  readonly max: number;
}

/** `?page=&per_page=`. Whatever is not a number from 1 on means the first page, or the default size. */
export function readPaging(query: ParsedUrlQuery, { default: size, max }: PageSizes): Paging {
  return { page: readCount(query, 'page') ?? 1, size: Math.min(readCount(query, 'per_page') ?? size, max) };
}

/** The same of a list that is one of several: its page is `name`. */
export function readPartPaging(query: ParsedUrlQuery, name: string, sizes: PageSizes): Paging {
  return { ...readPaging(query, sizes), page: readCount(query, name) ?? 1 };
}

/** The value of a query field; undefined without one or with an empty one. The first counts. */
export function readField(query: ParsedUrlQuery, name: string): string | undefined {
  return [query[name]].flat()[0]?.trim() || undefined;
}

/** One of several words; the first one for anything else. */
export function readChoice<const Word extends string>(
  query: ParsedUrlQuery,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const asked = readField(query, name);
  return words.find((word) => word === asked) ?? words[0];
}

/** `?filename=`; throws a Failure `payload-invalid` without one. */
export function readFileName(query: ParsedUrlQuery): string {
  const name = [query.filename].flat()[0];
  if (name) return name;
  throw new Failure('payload-invalid', 'filename is missing: add ?filename=<a name from source_files.json>.', {
    field: 'filename',
  });
}

/** A whole number from 1 on; undefined for anything else. */
export function readCount(query: ParsedUrlQuery, name: string): number | undefined {
  const text = readField(query, name);
  return text !== undefined && /^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** The repo that a path spells, decoded once by the router; a Failure `not-found` for what no repo is called. */
export function readRepoPath(service: string, name: string, form = 'a repo is'): RepoAddress {
  const address = readRepoAddress(service, name.replace(/\/$/, ''));
  if (address !== undefined) return address;
  const sentence = repoPathWrong(quoteValue(`${service}/${name}`), form);
  throw new Failure('not-found', sentence);
}

/** The same where old addresses leave the service out: then all repos that may be meant, likeliest first. */
export function readOldRepoPath(service: string, name: string): readonly [RepoAddress, ...RepoAddress[]] {
  const named = readRepoAddress(service, name.replace(/\/$/, ''));
  if (named !== undefined) return [named];
  const [first, ...others] = REPO_SERVICES.flatMap((one) => readRepoAddress(one, `${service}/${name}`) ?? []);
  return first === undefined ? [readRepoPath(service, name)] : [first, ...others];
}

function repoPathWrong(found: string, place: string): string {
  return `There is no repo ${found}: ${place} <service>/<owner>/<name>.`;
}
