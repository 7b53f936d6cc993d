import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../child-process.ts';

/** A git host on this machine: one repo by https, under any name. */
export interface GitHost {
  /** `https://localhost:<port>`; the same host answers at 127.0.0.1 too. */
  readonly url: string;
  readonly port: number;
  /** What was asked: the path, and how the caller signed in. */
  readonly requests: readonly { readonly path: string; readonly authorization: string | undefined }[];
  /** Answers that stand still and that nobody waits for any more. */
  readonly abandoned: () => number;
  close(): Promise<void>;
}

export interface GitHostOptions {
  /** Only callers who sign in like this are answered. */
  readonly authorization?: string;
  /** Stop where the objects begin. */
  readonly stall?: boolean;
}

const fixtures = fileURLToPath(new URL('../../fixtures/tls/', import.meta.url));
/** For GIT_SSL_CAINFO: this certificate is the host's own. */
export const GIT_HOST_CERTIFICATE = join(fixtures, 'cert.pem');

/** Serves the repo in a directory as git hosts do (git-http-backend). */
export async function startGitHost(directory: string, options: GitHostOptions = {}): Promise<GitHost> {
  const requests: { path: string; authorization: string | undefined }[] = [];
  let abandoned = 0;
  const tls = { key: readFileSync(join(fixtures, 'key.pem')), cert: readFileSync(GIT_HOST_CERTIFICATE) };
  const server = createServer(tls, (request, response) => {
    const { authorization } = request.headers;
    requests.push({ path: request.url ?? '', authorization });
    response.on('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    if (options.authorization !== undefined && authorization !== options.authorization)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    else serve(request, response, { directory, stall: options.stall === true });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    port,
    requests,
    abandoned: () => abandoned,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { directory, stall }: { directory: string; stall: boolean },
): void {
  const { pathname, search } = new URL(request.url ?? '', 'https://localhost');
  const service = /\/(?:info\/refs|git-upload-pack)$/.exec(pathname)?.[0] ?? '/none';
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...inheritedEnvironment(),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_TRANSLATED: join(directory, '.git', service),
      PATH_INFO: service,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(backend.stdin);
  backend.stdin.on('error', () => undefined);
  const pieces: Buffer[] = [];
  backend.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  backend.on('close', () => answer(response, Buffer.concat(pieces), stall));
}

/** Turns what a CGI program printed into an answer. */
function answer(response: ServerResponse, output: Buffer, stall: boolean): void {
  const end = output.indexOf('\r\n\r\n');
  for (const line of output.toString('latin1', 0, end).split('\r\n')) {
    const [name = '', value = ''] = line.split(': ', 2);
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  const body = output.subarray(end + 4);
  const objects = body.indexOf('packfile\n');
  if (stall && objects >= 0) response.write(body.subarray(0, objects + 9));
  else response.end(body);
}
