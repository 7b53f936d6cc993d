import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { Failure } from '../../core/failure.ts';
import { hasEntityTag } from './entity-tags.ts';
import { sendPieces } from './send-pieces.ts';

/** The command that every server hands out, and what proves it whole. */
interface CommandFile {
  readonly text: string;
  /** SHA-256 of the bytes. */
  readonly digest: Buffer;
}

/** Created by scripts/bundle-command.ts; the same place whether the server runs from its sources or built. */
const BUILT = new URL('../../../dist/cli.mjs', import.meta.url);

/** Reads it when it is first asked for, since most servers never are; undefined if it was not built. */
export function createCommandReader(path = BUILT): () => Promise<CommandFile | undefined> {
  let reading: Promise<CommandFile | undefined> | undefined;
  return () => {
    reading ??= readFile(path, 'utf8').then(
      (text) => ({ text, digest: createHash('sha256').update(text).digest() }),
      () => {
        reading = undefined;
        return undefined;
      },
    );
    return reading;
  };
}

/** As docs/command.md has it saved, so that `sha256sum --check` finds it. */
const SAVED_AS = 'coverage.mjs';

/** `GET /cli.mjs`, the command that fits this server, and its digest beside it, for everybody. */
export function registerCommandFile(router: Router, readCommand: () => Promise<CommandFile | undefined>): void {
  router.get('/cli.mjs', async (context) => {
    const { text, digest } = await found();
    // What it is named by stays, what it holds changes with the server: to be asked again, and cheap then.
    context.set('Cache-Control', 'no-cache');
    context.set('X-Content-Type-Options', 'nosniff');
    context.set('Repr-Digest', `sha-256=:${digest.toString('base64')}:`);
    if (isUnchanged(context, digest)) context.status = 304;
    else await sendPieces(context, 'text/javascript; charset=utf-8', [text]);
  });

  router.get('/cli.mjs.sha256', async (context) => {
    const { digest } = await found();
    context.set('Cache-Control', 'no-cache');
    context.set('X-Content-Type-Options', 'nosniff');
    context.type = 'text/plain; charset=utf-8';
    context.body = `${digest.toString('hex')}  ${SAVED_AS}\n`;
  });

  async function found(): Promise<CommandFile> {
    const file = await readCommand();
    if (file === undefined)
      throw new Failure('not-found', 'The command is not here: "npm run build" creates it beside the server.');
    return file;
  }
}

function isUnchanged(context: RouterContext, digest: Buffer): boolean {
  const etag = `"${digest.toString('hex')}"`;
  context.set('ETag', etag);
  return hasEntityTag(context.get('If-None-Match'), etag);
}
