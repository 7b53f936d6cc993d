import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildJson, JobJson } from '@coverage/shared';
import { fixtures } from '../../support/fixture-reports.ts';
import { openRaw, type RawAnswer } from '../../support/raw-http.ts';

/** A request of test/fixtures/clients, as bytes with placeholders, and what must come of it. */
export interface ClientFixture {
  readonly name: string;
  readonly client: string;
  /** `E1` to `E7` (docs/wire.md "Upload"), or `close`. */
  readonly encoding: string;
  readonly notes: string;
  readonly message?: string;
  readonly build?: Partial<BuildJson>;
  readonly job?: Partial<JobJson>;
  readonly bytes: string;
}

const folder = join(fixtures, 'clients');

/** All fixtures, sorted by name. */
export async function readClientFixtures(): Promise<readonly ClientFixture[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.http')).sort();
  return Promise.all(
    names.map(async (file) => {
      const name = file.slice(0, -'.http'.length);
      const facts = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as Omit<
        ClientFixture,
        'name' | 'bytes'
      >;
      return { name, ...facts, bytes: await readFile(join(folder, file), 'latin1') };
    }),
  );
}

/** Where a fixture is sent, and with which token. */
export interface Target {
  readonly port: number;
  readonly token: string;
}

const HEAD_END = '\r\n\r\n';

/** The request with its placeholders filled (test/fixtures/README.md): head and body, byte for byte. */
export function fillFixture(bytes: string, { port, token }: Target): { readonly head: Buffer; readonly body: Buffer } {
  const end = bytes.indexOf(HEAD_END) + HEAD_END.length;
  const body = packed(bytes.slice(end).replaceAll('{{token}}', token));
  const head = bytes
    .slice(0, end)
    .replaceAll('{{token}}', token)
    .replace('{{host}}', `127.0.0.1:${port}`)
    .replace('{{length}}', String(body.length));
  return { head: Buffer.from(head, 'latin1'), body };
}

/** Strings stand for bytes here, one character each. */
function packed(body: string): Buffer {
  const inPart = /\{\{part\}\}(.*)\{\{\/part\}\}/s.exec(body)?.[1];
  const framed = body.replace('{{part-length}}', String(inPart?.length)).replace(/\{\{\/?part\}\}/g, '');
  const zipped = framed.replace(/\{\{gzip\}\}(.*)\{\{\/gzip\}\}/s, (_, text: string) =>
    gzipSync(Buffer.from(text, 'latin1')).toString('latin1'),
  );
  const chunked = zipped.replace(/\{\{chunks\}\}(.*)\{\{\/chunks\}\}/s, (_, text: string) => inChunks(text));
  return Buffer.from(chunked, 'latin1');
}

function inChunks(text: string): string {
  const chunks = text.match(/.{1,40}/gs) ?? [];
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
}

/** Sends a fixture over a connection of its own; one that expects it waits for `100 Continue` before its body. */
export async function replay(bytes: string, target: Target): Promise<RawAnswer> {
  const { head, body } = fillFixture(bytes, target);
  const connection = await openRaw(target.port);
  try {
    connection.send(head);
    if (/\r\nexpect: 100-continue\r\n/i.test(head.toString('latin1'))) {
      const go = await connection.answer();
      if (go.status !== 100) return go;
    }
    connection.send(body);
    return await connection.answer(10_000);
  } finally {
    connection.socket.destroy();
  }
}
