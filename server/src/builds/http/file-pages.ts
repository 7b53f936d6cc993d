import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { TREE_SORTS } from '../../core/coverage/file-tree.ts';
import { Failure } from '../../core/failure.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { readChoice, readCount, readField, readPaging, readRepoPath } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { browseFiles, FILE_CHOICES } from '../browse-files.ts';
import type { BuildInRepo } from '../find-in-repo.ts';
import { renderFilePage } from '../pages/file-page.tsx';
import { renderFilesPage } from '../pages/files-page.tsx';
import { showSource } from '../show-source.ts';
import { chooseCommit } from './choose-commit.ts';

const ROWS = { default: 200, max: 200 };

/**
 * `GET /<service>/<owner>/<repo>/commits/<sha>/tree/<folder>` and `…/file/<path>?line=`; with `builds/<id>` in place of
 * the commit for a build that does not announce there. To be registered before the repos' own pages.
 */
export function registerFilePages(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;

  const showTree = async (
    context: RouterContext,
    { path, revision, shows, ...address }: FileAddress,
  ): Promise<void> => {
    const caller = await identifyReader(context);
    const asked = {
      folder: path === '' || path.endsWith('/') ? path : `${path}/`,
      query: readField(context.query, 'q') ?? '',
      flag: readField(context.query, 'flag'),
      show: readChoice(context.query, 'show', FILE_CHOICES),
      sort: readChoice(context.query, 'sort', TREE_SORTS),
    };
    const browsed = await browseFiles(services, {
      caller,
      ...address,
      ...asked,
      paging: readPaging(context.query, ROWS),
    });
    await sendPage(context, renderFilesPage({ ...browsed, revision, asked }, pageOf(context)));
  };

  const showFile = async (
    context: RouterContext,
    { path: name, revision, shows, ...address }: FileAddress,
  ): Promise<void> => {
    const caller = await identifyReader(context);
    const line = readCount(context.query, 'line') ?? 1;
    const shown = await showSource(services, { caller, ...address, name, line });
    await sendPage(context, renderFilePage({ ...shown, revision }, pageOf(context)));
  };

  const show = (context: RouterContext): Promise<void> => {
    const address = readFileAddress(context);
    return address.shows === 'tree' ? showTree(context, address) : showFile(context, address);
  };

  const choose = chooseCommit(services);
  for (const revision of ['commits/:sha', 'builds/:id']) {
    for (const path of ['', '/*path']) {
      router.get(`/:service/*name/${revision}/tree${path}`, choose, show);
      router.get(`/:service/*name/${revision}/file${path}`, choose, show);
    }
  }
}

/** Which file or folder of which build a page is about. */
interface FileAddress {
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
function readFileAddress({ path: address, query }: Pick<Context, 'path' | 'query'>): FileAddress {
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
