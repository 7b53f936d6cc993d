import type Router from '@koa/router';
import type { ListSourceFiles } from '../../use-cases/builds/list-source-files.ts';
import type { ReadHits, ReadSource } from '../../use-cases/builds/read-source.ts';
import type { RenderSourceFilesPage } from '../../web/source-files-page.tsx';
import type { RenderSourcePage } from '../../web/source-page.tsx';
import type { IdentifyReader } from '../middleware/authenticate.ts';
import type { AwaitPlace } from '../middleware/large-answers.ts';
import { sendPage, sendPieces } from '../middleware/send-pieces.ts';
import type { PageOf } from '../presenters/page-of.ts';
import { presentFileList, presentHits } from '../presenters/source-json.ts';
import { readFileName, readPaging } from './read-query.ts';

export interface SourceRoutesDeps {
  readonly listSourceFiles: ListSourceFiles;
  readonly readHits: ReadHits;
  readonly readSource: ReadSource;
  readonly awaitPlace: AwaitPlace;
  readonly identifyReader: IdentifyReader;
  readonly pageOf: PageOf;
  readonly renderSourceFilesPage: RenderSourceFilesPage;
  readonly renderSourcePage: RenderSourcePage;
}

const FILES = { usual: 100, most: 2_000 };
const LINES = { usual: 2_000, most: 2_000 };
/** A file with more lines is a large answer: the others take up to 2 MiB while they are sent. */
const LARGE_FILE = 2 ** 18;

/**
 * `GET /builds/<x>/source_files.json` and `GET /builds/<x>/source.json?filename=`, and both without `.json` as pages.
 */
export function registerSourceRoutes(router: Router, deps: SourceRoutesDeps): void {
  const { listSourceFiles, readHits, readSource, awaitPlace, identifyReader, pageOf } = deps;

  router.get('/builds/:reference/source_files.json', async (context) => {
    const caller = await identifyReader(context);
    const reference = context.params.reference ?? '';
    const listed = await listSourceFiles({ caller, reference, paging: readPaging(context.query, FILES) });
    await sendPieces(context, 'json', presentFileList(listed));
  });

  router.get('/builds/:reference/source_files', async (context) => {
    const caller = await identifyReader(context);
    const reference = context.params.reference ?? '';
    const listed = await listSourceFiles({ caller, reference, paging: readPaging(context.query, FILES) });
    await sendPage(context, deps.renderSourceFilesPage(listed, pageOf(context)));
  });

  router.get('/builds/:reference/source.json', async (context) => {
    const caller = await identifyReader(context);
    const asked = { caller, reference: context.params.reference ?? '', name: readFileName(context.query) };
    const { file } = await readHits({ ...asked, offset: 0, limit: LARGE_FILE });
    if (file.lines > LARGE_FILE) await awaitPlace(context.res);
    const whole = file.lines > LARGE_FILE ? await readHits({ ...asked, offset: 0, limit: file.lines }) : { file };
    context.type = 'json';
    context.body = presentHits(whole.file.hits);
  });

  router.get('/builds/:reference/source', async (context) => {
    const caller = await identifyReader(context);
    const asked = { caller, reference: context.params.reference ?? '', name: readFileName(context.query) };
    const read = await readSource({ ...asked, paging: readPaging(context.query, LINES) });
    await sendPage(context, deps.renderSourcePage(read, pageOf(context)));
  });
}
