import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { type AwaitPlace, createLargeAnswers } from '../../platform/http/large-answers.ts';
import { readCount, readField, readFileName, readPaging } from '../../platform/http/read-query.ts';
import { sendPieces, streamParts } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { exportReport } from '../export-report.ts';
import { type LocatedBuild, locateBuild } from '../find-in-repo.ts';
import { listSourceFiles } from '../list-source-files.ts';
import { readHits } from '../read-hits.ts';
import { presentFileList, presentHits } from './source-json.ts';

/** The hits of one file of 2^24 lines take 64 MiB, or twice that where they are counts beyond 31 bits. */
const LARGE_ANSWERS = { max: 2, waiting: 100, deadline: 5_000 };
const FILES = { default: 100, max: 2_000 };
/** Lines on a page of the address before. */
const OLD_PAGE = 2_000;
/** A file with more lines is a large answer: the others take up to 2 MiB while they are sent. */
const LARGE_FILE = 2 ** 18;
/** Bytes of a stored report that are held no matter how many clients read what is written of it. */
const LARGE_REPORT = 2 ** 20;

/** A build's report in the formats of others. */
const FORMATS = [
  { name: 'lcov.info', type: 'text/plain; charset=utf-8', format: 'lcov' },
  { name: 'cobertura.xml', type: 'application/xml; charset=utf-8', format: 'cobertura' },
] as const;

/**
 * `GET /builds/<x>/source_files.json` and `GET /builds/<x>/source.json?filename=`. Without `.json` both lead to the
 * pages. `lcov.info` and `cobertura.xml` are the whole report.
 */
export function registerSourceRoutes(router: Router, services: Services): void {
  const { timers, identifyReader, pageOf } = services;
  const awaitPlace = createLargeAnswers(LARGE_ANSWERS, timers);
  const locate = async (context: RouterContext): Promise<LocatedBuild> =>
    locateBuild(services, { caller: await identifyReader(context), reference: context.params.reference ?? '' });

  router.get('/builds/:reference/source_files.json', async (context) => {
    const caller = await identifyReader(context);
    const reference = context.params.reference ?? '';
    const listed = await listSourceFiles(services, { caller, reference, paging: readPaging(context.query, FILES) });
    await sendPieces(context, 'json', presentFileList(listed));
  });

  // Where these pages were before.
  router.get('/builds/:reference/source_files', async (context) => {
    const { repo, revision } = await locate(context);
    context.redirect(keepToken(context, pageOf(context).links.tree(repo, revision)));
  });

  router.get('/builds/:reference/source.json', async (context) => {
    const caller = await identifyReader(context);
    const asked = { caller, reference: context.params.reference ?? '', name: readFileName(context.query) };
    const { file } = await readHits(services, { ...asked, offset: 0, limit: LARGE_FILE });
    if (file.lines > LARGE_FILE) await awaitPlace(context.res);
    const whole =
      file.lines > LARGE_FILE ? await readHits(services, { ...asked, offset: 0, limit: file.lines }) : { file };
    context.type = 'json';
    context.body = presentHits(whole.file.hits);
  });

  router.get('/builds/:reference/source', async (context) => {
    const name = readFileName(context.query);
    const { repo, revision } = await locate(context);
    const line = ((readCount(context.query, 'page') ?? 1) - 1) * OLD_PAGE + 1;
    const { links } = pageOf(context);
    context.redirect(keepToken(context, links.file(repo, revision, name, line === 1 ? undefined : line)));
  });
  registerExports(router, services, awaitPlace);
}

function registerExports(router: Router, services: Services, awaitPlace: AwaitPlace): void {
  const { identifyReader } = services;
  for (const { name, type, format } of FORMATS)
    router.get(`/builds/:reference/${name}`, async (context) => {
      const caller = await identifyReader(context);
      const { size, parts } = await exportReport(services, {
        caller,
        reference: context.params.reference ?? '',
        format,
      });
      if (size > LARGE_REPORT) await awaitPlace(context.res);
      await streamParts(context, type, parts);
      context.set('Content-Disposition', `attachment; filename="${name}"`);
    });
}

/** A repo token in the URL is passed on, since the page asks for one too. */
function keepToken({ query }: RouterContext, address: string): string {
  const token = readField(query, 'repo_token');
  if (token === undefined) return address;
  const [path = '', place] = address.split('#');
  const whole = `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ repo_token: token })}`;
  return place === undefined ? whole : `${whole}#${place}`;
}
