import type { Context } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readField, readRepoPath } from '../../platform/http/read-query.ts';
import type { BuildInRepo } from '../find-in-repo.ts';

/** Which file or folder of which build a page is about. */
export interface FileAddress {
  readonly address: RepoAddress;
  readonly build: BuildInRepo;
  /** Which page the address is of. The path of a file may hold the other's word, so no route tells them apart. */
  readonly shows: 'tree' | 'file';
  /** As the address has it: a commit's sha, or a build's id. */
  readonly revision: string | number;
  /** Empty: none. */
  readonly path: string;
}

/** Throws a Failure `not-found` for what no repo or build is called. What a path cannot spell is in `?path=`. */
export function readFileAddress({ path: address, query }: Pick<Context, 'path' | 'query'>): FileAddress {
  const { service, name, kind, text, shows, place } = splitAddress(address);
  const path = readField(query, 'path') ?? place;
  const repo = readRepoPath(service, name);
  if (kind === 'commits') return { address: repo, build: { commit: text }, revision: text, shows, path };
  if (!/^\d{1,15}$/.test(text)) throw new Failure('not-found', 'The URL of a build ends with its number here.');
  return { address: repo, build: { id: text }, revision: Number(text), shows, path };
}

/** At the first place that fits: names of files may hold anything, those of repos no such thing. */
function splitAddress(address: string) {
  const parts = address.split('/');
  const at = parts.findIndex(
    (part, index) =>
      index > 2 &&
      (part === 'commits' || part === 'builds') &&
      parts[index + 1] !== '' &&
      (parts[index + 2] === 'tree' || parts[index + 2] === 'file'),
  );
  const end = at < 0 ? parts.length : at;
  return {
    service: decode(parts[1]),
    name: decode(parts.slice(2, end).join('/')),
    kind: parts[end],
    text: decode(parts[end + 1]),
    shows: parts[end + 2] === 'tree' ? ('tree' as const) : ('file' as const),
    place: decode(parts.slice(end + 3).join('/')),
  };
}

function decode(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    throw new Failure('not-found', 'The URL has a percent sign that stands for no character: write it as %25.');
  }
}
