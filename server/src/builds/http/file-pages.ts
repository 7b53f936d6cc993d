import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { TREE_SORTS } from '../../core/coverage/file-tree.ts';
import { readChoice, readCount, readField, readPaging } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { browseFiles, FILE_CHOICES } from '../browse-files.ts';
import { renderFilePage } from '../pages/file-page.tsx';
import { renderFilesPage } from '../pages/files-page.tsx';
import { showSource } from '../show-source.ts';
import { chooseCommit } from './choose-commit.ts';
import { type FileAddress, readFileAddress } from './file-address.ts';

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
