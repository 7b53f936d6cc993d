import { gzipSync } from 'node:zlib';
import { forgedIdToken, TOKENS_OF_HOSTS } from './all-hosts.ts';

/** One hostile request of a stranger, to any route. */
export interface HostileRequest {
  /** The row of the table that it counts for. */
  readonly group: 'queries' | 'headers' | 'paths' | 'bodies';
  readonly what: string;
  /** From the route's path, as `/builds/:reference`. */
  readonly path: (route: string) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const MIB = 2 ** 20;
/** Characters that fit beside the rest of a request into what its line and headers may have. */
const LONG = 14_000;
const fillUp = (piece: string, length = LONG): string => piece.repeat(Math.floor(length / piece.length));

/** The route's path about the repo and build of every attacked server. */
const plain = (route: string): string =>
  route
    .replace(':service', 'manual')
    .replace(/(:owner\/)?\*(name|owner)/, 'acme/shop')
    .replaceAll(/:(id|reference|number)\b/g, '1')
    .replaceAll(/[:*]\w+/g, 'x');

/** The route's path with a first parameter of this length, and short others. */
const longPath =
  (piece: string) =>
  (route: string): string => {
    const [head = '', ...rest] = route.replace(':service', 'manual').split(/[:*]\w+/);
    return head + (rest.length === 0 ? `/${fillUp(piece)}` : fillUp(piece) + rest.join('x'));
  };

const query = (name: string, piece: string): HostileRequest => ({
  group: 'queries',
  what: `?${name}${piece}…`,
  path: (route) => `${plain(route)}?${name}${fillUp(piece)}`,
});

const header = (name: string, piece: string, start = '', end = ''): HostileRequest => ({
  group: 'headers',
  what: `${name}: ${start}${piece}…${end}`,
  path: plain,
  headers: { [name]: start + fillUp(piece) + end },
});

const TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=b',
} as const;

/** As each host sends it. */
const SIGNATURES = {
  'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
  'x-hub-signature': `sha256=${'0'.repeat(64)}`,
  'x-gitea-signature': '0'.repeat(64),
  'webhook-signature': `v1,${'0'.repeat(43)}=`,
};

/** Gzipped, except for multipart bodies, which nobody sends so. `text` is what it unpacks to. */
function body(what: string, text: string | Buffer, type: keyof typeof TYPES = 'json'): HostileRequest {
  const isPlain = type === 'multipart';
  const headers = {
    'content-type': TYPES[type],
    // Where a signature is asked for, it is compared with the body's.
    ...SIGNATURES,
    ...(!isPlain && { 'content-encoding': 'gzip' }),
  };
  return { group: 'bodies', what, path: plain, headers, body: isPlain ? Buffer.from(text) : gzipSync(text) };
}

const list = (piece: string, bytes = MIB): string => `[${fillUp(`${piece},`, bytes - 100)}${piece}]`;
const members = (count: number, key: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => `"${key(index)}":1`).join()}}`;
const pairs = (count: number, name: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${name(index)}=${index}`).join('&');
const part = (name: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

const QUERIES = [
  query('', 'a&'),
  query('', 'a[b]='),
  query('filename=', '%25'),
  query('path=', '/'),
  query('page=', '9'),
  query('repo_token=', 'cvr_'),
  query('carryforward=', 'a,'),
  query('next=/', '../'),
  query('flag=', '<&'),
];

const HEADERS = [
  header('authorization', ' ', 'token a', 'b'),
  header('authorization', 'a', 'Bearer eyJhbGciOiJSUzI1NiJ9.', '.x'),
  header('cookie', ';'),
  header('cookie', 'a.', 'coverage_shares='),
  header('accept', 'a/b,'),
  header('accept', 'text/html;q=0.1,'),
  header('accept-encoding', 'br;q=0.1,'),
  header('if-none-match', '"a",'),
  header('x-forwarded-for', '1.1.1.1,'),
  header('content-type', ';', 'application/json'),
  header('content-encoding', 'gzip,'),
  header('x-request-id', 'a'),
  header('user-agent', '(a;'),
  {
    group: 'headers',
    what: '1,200 headers',
    path: plain,
    headers: Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`x-${index}`, 'a'])),
  } as const,
];

const PATHS = ['a', 'a/', '%41', '%2f', '%', 'a/commits/', 'a/builds/1/tree/', '.json', '//', '%C3%A9'].map(
  (piece): HostileRequest => ({ group: 'paths', what: `${piece}…`, path: longPath(piece) }),
);

const BODIES = [
  body('[{},{}, …] of a megabyte', list('{}')),
  body('{"payload":[{},{}, …]}', `{"payload":${list('{}')}}`),
  body('the same as a text', JSON.stringify({ payload: list('{}') })),
  body('[{},{}, …] of 64 KiB in an object', `{"payload":${list('{}', 2 ** 16)}}`),
  body('110,000 keys', members(110_000, String)),
  body(
    '6,000 keys',
    members(6_000, (index) => `k${index}`),
  ),
  body(
    '5,000 keys that are numbers',
    members(5_000, (index) => String(index * 65_537)),
  ),
  body('a text of a megabyte', `{"payload":{"build_num":"${'x'.repeat(MIB)}"}}`),
  body('a text of 64 KiB of escapes', `{"payload":{"build_num":"${fillUp('\\u00e9', 65_000)}"}}`),
  body('64 KiB of .eyJ', `{"payload":"${fillUp('.eyJ', 65_000)}"}`),
  body('64 KiB of token after token', `{"payload":"${fillUp('cvr_abcdefgh ', 65_000)}"}`),
  body('nested 9,000 deep', `{"payload":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`),
  body('a megabyte of [', '['.repeat(MIB)),
  body('an error behind 64 KiB of lines', `{${'\n'.repeat(65_000)}x}`),
  body('30,000 flags carried', `{"payload":{"carryforward":"${fillUp('a,', 65_000)}"}}`),
  body('a form whose one name is 64 KiB', 'a['.repeat(32_000), 'form'),
  body(
    'a form of 1,000 nested names',
    pairs(1_000, (index) => `k${index}[a][b][c][d]`),
    'form',
  ),
  body(
    'a form of long nested names',
    pairs(60, (index) => `a${fillUp('.b', 990)}.${index}`),
    'form',
  ),
  body('a form of 16,000 pairs', fillUp('a=b&', 65_000), 'form'),
  body('a form of 64 KiB of %zz', `a=${fillUp('%zz', 65_000)}`, 'form'),
  body(
    'a form that is JSON',
    members(6_000, (index) => `k${index}`),
    'form',
  ),
  body('a form with a payload of 64 KiB', `payload=${list('{}', 60_000)}`, 'form'),
  body('256 MiB of zeros', Buffer.alloc(256 * MIB)),
  body('a job of 60,000 empty objects', `{"git":{"remotes":${list('{}', 180_000)}},"source_files":[]}`),
  body('a job of 20,000 keys', `{"git":{"head":${members(20_000, String)}},"source_files":[]}`),
  body('a job within a text', JSON.stringify({ json: `{"a":${list('{}')}}` })),
  body('a job of 20,000 files', `{"source_files":${list('{"name":"a","coverage":[-1]}', 600_000)}}`),
  body('multipart with 2,000 parts', part('x', '1').repeat(2_000), 'multipart'),
  body('multipart with a name of 100 KB', part('x'.repeat(100_000), '1'), 'multipart'),
  body('multipart with 20,000 headers', `--b\r\n${'a: b\r\n'.repeat(20_000)}\r\n1\r\n--b--`, 'multipart'),
  body('multipart of a boundary begun again', `--b\r\n${'\r\n--'.repeat(30_000)}`, 'multipart'),
  body('multipart that is cut', part('json_file', fillUp('{"a":"', 150_000)), 'multipart'),
];

/** Signatures of webhooks: of many parts, each of a right length, or short. */
const SIGNED = [
  header('webhook-signature', 'a '),
  header('webhook-signature', `v1,${'0'.repeat(43)}= `),
  header('x-gitea-signature', '0'),
  header('x-hub-signature', '0', 'sha256='),
  header('x-hub-signature-256', '0', 'sha256='),
].map((one) => ({ ...one, headers: { ...SIGNATURES, ...one.headers } }));

/** Stands in tokens of which each is sent once: what a host does not know, it is not asked about again. */
export const FRESH = 'fresh-token';

/** Tokens of hosts, each of which knows none; `issuer`: of ID tokens. */
function tokensOf(issuer: string, method: string): readonly HostileRequest[] {
  const long = TOKENS_OF_HOSTS.map((start) => header('authorization', 'a', `Bearer ${start}`));
  const sent = [...TOKENS_OF_HOSTS.map((start) => start + FRESH), forgedIdToken(issuer, fillUp('a', 5_000))];
  const claims = sent.map((token) => ({
    group: 'headers' as const,
    what: `authorization: ${token.slice(0, 20)}…`,
    path: (route: string) => `${plain(route)}?repo_name=acme/shop&build_num=1`,
    headers: { authorization: `Bearer ${token}`, 'content-type': TYPES.json },
    ...(method === 'POST' && { body: Buffer.from('{"repo_name":"acme/shop","source_files":[]}') }),
  }));
  return [...long, ...claims];
}

/** What a stranger may send to a route of this method. Bodies go where one is read. */
export function hostileRequests(route: string, issuer: string): readonly HostileRequest[] {
  const [method = '', path = ''] = route.split(' ');
  const signed = path.startsWith('/hooks/') ? SIGNED : [];
  const all = [...QUERIES, ...HEADERS, ...PATHS, ...tokensOf(issuer, method), ...signed];
  return method === 'POST' || method === 'PUT' ? [...all, ...BODIES] : all;
}
