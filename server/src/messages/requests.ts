// Requests as such: addresses, methods, faults, and a server that is busy or stops.
import type { Texts } from './values.ts';

export function uploadElsewhere(path: string, base: string): string {
  return `Nothing is uploaded to ${path}: jobs go to ${base}/api/v1/jobs. Give the client that whole address.`;
}

export function moreThanBase({ path, appended, base }: Texts<'path' | 'appended' | 'base'>): string {
  return (
    `There is nothing at ${path}: the client appends ${appended} itself. Give it only the base of the address, ` +
    `without ${base}.`
  );
}

export function methodNotTaken({ path, method, taken }: Texts<'path' | 'method' | 'taken'>): string {
  return `${path} does not take ${method}; it takes ${taken}.`;
}

export const METRICS_ONLY = 'Only GET /metrics is here.\n';

export function serverFault(request: string): string {
  return `Something went wrong in this server, not in your request. Its log has more under the request id ${request}.`;
}

export const CLIENT_CLOSED = 'the client or a proxy closed its side';

export const TOOK_TOO_LONG = 'it took too long';

export const CHUNKS_MALFORMED = 'its chunks are malformed or the connection broke';

export const HEADERS_TOO_LONG = 'The request line and headers have more than 16 KiB; send shorter ones.';

export const REQUEST_LATE = 'The request did not arrive in time; send it again.';

/** `code`: of Node's HTTP parser; empty where it gave none. */
export function malformed(code: string): string {
  return `This is not a well-formed HTTP request (${code || 'unknown reason'}).`;
}

export function malformedOrHttps(code: string): string {
  return `${malformed(code)} If it was https: this port speaks plain http.`;
}

export const TOO_MANY_LARGE_ANSWERS =
  'The server is sending as many large answers as it can. Ask again in a few seconds.';

export const SERVER_STOPPING = 'The server is stopping.';

export function speaksCoveralls(url: string): string {
  return `This coverage service speaks the Coveralls API: give clients ${url} as its address.`;
}

export function nothingThere(path: string, base: string): string {
  return (
    `There is nothing at ${path}. Jobs go to ${base}/api/v1/jobs, closes to ${base}/webhook, repos to ` +
    `${base}/api/v1/repos.`
  );
}

export const COMMAND_NOT_BUILT = 'The command is not here: "npm run build" makes it beside the server.';

export const DOCS_NOT_BUILT = 'The docs are not here: "npm run build" makes them beside the server.';

export function docsPageUnknown(page: string): string {
  return `The docs have no page ${page}. /docs lists all of them, and /docs?q=words searches them.`;
}

export const ASSET_UNKNOWN = 'There is no such file here: reload the page that asked for it.';
