import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { Context } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { AppState } from '../../platform/http/app-state.ts';
import { checkOrigin, holdsCsrfToken } from './visitors.ts';

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 10_000;

/**
 * Reads a `multipart/form-data` form with a file of at most `limit` bytes. `use` is told where it lies, as long as it
 * runs; undefined: none was chosen. Refuses what another site's page sent, and a form without the token that this
 * browser was given; a program with a credential in the Authorization header needs none.
 */
export async function withUploadForm<T>(
  ctx: Context,
  { baseUrl, limit }: { readonly baseUrl: string; readonly limit: number },
  use: (file: string | undefined) => Promise<T>,
): Promise<T> {
  checkOrigin(ctx, baseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'coverage-upload-'));
  try {
    const { fields, file } = await readForm(ctx, { folder, limit });
    const isProgram = ctx.get('Authorization') !== '';
    if (!isProgram && !holdsCsrfToken(ctx, fields.get('csrf')))
      throw new Failure('forbidden', 'This page is out of date. Go back, reload it and try again.');
    (ctx.state as AppState).form = (name) => fields.get(name) ?? '';
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readForm(ctx: Context, { folder, limit }: { readonly folder: string; readonly limit: number }) {
  const fields = new Map<string, string>();
  let saving: Promise<string | undefined> | undefined;
  const form = openForm(ctx.get('Content-Type'), limit);
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, stream) => {
    if (name !== 'file' || saving !== undefined) stream.resume();
    else saving = save(stream, { path: join(folder, 'file'), limit });
    // Looked at below, once the form is read.
    saving?.catch(() => undefined);
  });
  try {
    await pipeline(ctx.req, form);
    return { fields, file: await saving };
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('payload-invalid', CUT, { cause });
  }
}

function openForm(contentType: string, limit: number): InstanceType<typeof Busboy> {
  try {
    const limits = { fields: MAX_FIELDS, files: 1, fieldSize: MAX_FIELD_BYTES, fileSize: limit };
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (cause) {
    throw new Failure('payload-invalid', NO_FORM, { cause });
  }
}

async function save(
  stream: BusboyFileStream,
  { path, limit }: { readonly path: string; readonly limit: number },
): Promise<string | undefined> {
  let size = 0;
  stream.on('data', (part: Buffer) => {
    size += part.length;
  });
  await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  if (stream.truncated) throw new Failure('payload-too-large', `The file is larger than ${limit} bytes.`);
  return size === 0 ? undefined : path;
}

const CUT = 'The form arrived incomplete or damaged. Send it again.';
const NO_FORM = 'Send the file as multipart/form-data, in a part named "file".';
