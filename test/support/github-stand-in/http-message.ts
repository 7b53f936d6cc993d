import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';

/** Reads a whole body as text. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The body's value; a broken one stays text, so that the log shows it. */
export function parseBody(text: string): { value: unknown; broken: boolean } {
  if (text === '') return { value: undefined, broken: false };
  try {
    return { value: JSON.parse(text) as unknown, broken: false };
  } catch {
    return { value: text, broken: true };
  }
}

/** Header values by lower-case name; whatever could be a credential is left out. */
export function loggedHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue;
    headers[name] = /^(authorization|cookie|proxy-authorization)$/.test(name) ? '(not kept)' : String(value);
  }
  return headers;
}

/** The token of `Authorization: token X` or `Bearer X`; undefined if there is none. */
export function tokenOf(request: IncomingMessage): string | undefined {
  return /^(?:token|bearer) +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Adds the ETag of a GET's 200 and turns it into a 304 where the caller has that version already. */
export function conditional(request: IncomingMessage, answer: Answer): Answer {
  if (request.method !== 'GET' || answer.status !== 200) return answer;
  const etag = `W/"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex')}"`;
  const headers = { ...answer.headers, etag, 'cache-control': 'private, max-age=60, s-maxage=60' };
  const strip = (tag: string): string => tag.trim().replace(/^W\//, '');
  const known = (request.headers['if-none-match'] ?? '').split(',').map(strip);
  return known.includes(strip(etag)) ? { status: 304, headers } : { ...answer, headers };
}

/** Sends an answer; does nothing when the caller has left. */
export function send(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>>): void {
  if (response.destroyed) return;
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
  const type: Record<string, string> = text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(answer.status, {
    server: 'github.com',
    'x-github-media-type': 'github.v3; format=json',
    ...type,
    ...headers,
    ...answer.headers,
    ...(answer.status === 204 || answer.status === 304 ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
  });
  response.end(text);
}
