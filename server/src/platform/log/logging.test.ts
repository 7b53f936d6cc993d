import { expect, test } from 'vitest';
import { knownSecretTexts } from '../../compose/hosts.ts';
import { createLogger, createRequestScope, type LogLevel } from './logging.ts';
import { openPrettyLines } from './pretty-lines.ts';

const ADMIN_TOKEN = 'kW8+3jQ/x1Zr5vBn7tYm2pLc4sHd6fGa0eUi9oRb=';

function record(level: LogLevel = 'info') {
  const lines: string[] = [];
  const secretTexts = knownSecretTexts({ secretValues: [ADMIN_TOKEN, 'shared-with-"the"-webhook'] });
  const logger = createLogger({ level, secretTexts, destination: { write: (line: string) => void lines.push(line) } });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line)) };
}

test('a line is JSON with level, time, fields and sentence', () => {
  const { logger, parsed } = record();
  logger.warn({ request: 'r1', status: 503 }, 'request refused');
  expect(parsed()).toEqual([
    { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), request: 'r1', status: 503, msg: 'request refused' },
  ]);
});

test('the level decides what is written', () => {
  for (const [level, count] of [
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ] as const) {
    const { logger, lines } = record(level);
    for (const name of ['debug', 'info', 'warn', 'error'] as const) logger[name]({}, name);
    expect(lines).toHaveLength(count);
  }
});

test('hostile text stays inside its field, on one line', () => {
  const { logger, lines, parsed } = record();
  logger.info({ path: '/a\n{"level":"fatal"}\u2028' }, 'answered');
  expect(lines.join('').trimEnd().split('\n')).toHaveLength(1);
  expect(parsed()[0].path).toBe('/a\n{"level":"fatal"}\u2028');
  expect(lines.join('')).toContain(String.raw`\u2028`);
});

test.each(['error', 'err', 'cause'])(
  'an error under %s is logged with its causes, but without its other properties',
  (key) => {
    const { logger, lines, parsed } = record();
    const inner = Object.assign(new Error('disk full'), {
      code: 'ENOSPC',
      request: { headers: { authorization: 'hidden' } },
    });
    logger.error({ [key]: new Error('cannot store', { cause: inner }) }, 'request failed');
    expect(parsed()[0][key]).toEqual({
      type: 'Error',
      message: 'cannot store',
      stack: expect.stringContaining('logging.test.ts'),
      cause: { type: 'Error', message: 'disk full', code: 'ENOSPC' },
    });
    expect(lines.join()).not.toContain('hidden');
    logger.error({ [key]: { password: 'hidden' } }, 'no error');
    logger.error({ [key]: undefined }, 'none');
    expect(lines.join()).not.toContain('hidden');
  },
);

test('a hostile line is written as it is, but for its secrets', () => {
  const { logger, parsed } = record();
  const texts = [
    'ghp_'.repeat(50_000),
    'repo_token='.repeat(20_000),
    '://'.repeat(50_000),
    'github_pat_-'.repeat(20_000),
  ];
  logger.info({ texts: [...texts, 'ghp_0123456789'] }, 'hostile');
  const [{ texts: written }] = parsed();
  expect(written).toEqual(['[secret]', 'repo_token=[secret]', texts[2], '[secret]', '[secret]']);
});

test.each([
  ['cvr_0123456789abcdefghijABCDEFGHIJ0123456789abc', '[secret]'],
  ['failed with cvp_a-b_c0123456789 today', 'failed with [secret] today'],
  ['ghp_0123456789, ghs_0123456789 and github_pat_11AAA_bbb', '[secret], [secret] and [secret]'],
  ['connect mongodb://me:password@db.example/coverage', 'connect mongodb://[secret]@db.example/coverage'],
  ['GET /webhook?repo_token=abc&carryforward=unit', 'GET /webhook?repo_token=[secret]&carryforward=unit'],
  ['/badge.svg?branch=main&t=abc', '/badge.svg?branch=main&t=[secret]'],
  ['cvb_0123456789abcdefghijABCDEFGHIJ0123456789abc', '[secret]'],
  [`a line\ncvr_0123456789\u2028ghs_${'0a'.repeat(18)}`, 'a line\n[secret]\u2028[secret]'],
  [`/builds/x%2Fcvr_0123456789, /x%2Fghp_${'0a'.repeat(18)}`, '/builds/x%2F[secret], /x%2F[secret]'],
  ['ghs_1234567_eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2lnbmVk-1', '[secret][secret]'],
  ['signed eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2lnbmVk', 'signed eyJhbGciOiJIUzI1NiJ9[secret]'],
  ['Authorization: Bearer 0123456789abcdefghijklmn', 'Authorization: Bearer [secret]'],
  [`/builds/${ADMIN_TOKEN}, ${encodeURIComponent(ADMIN_TOKEN)}`, '/builds/[secret], [secret]'],
  [`cut: "${ADMIN_TOKEN.slice(0, 20)}…`, 'cut: "[secret]…'],
  [`guessed: ${ADMIN_TOKEN.slice(0, 20)}ab, and more`, 'guessed: [secret], and more'],
  ['signed with shared-with-"the"-webhook', 'signed with [secret]'],
  ['what weighs_1234 is no token', 'what weighs_1234 is no token'],
  ['nothing secret: https://x.example/a@b format=1', 'nothing secret: https://x.example/a@b format=1'],
])('no secret stays in a line: %s', (text, expected) => {
  const { logger, parsed } = record();
  logger.info({ text, nested: { list: [text] } }, text);
  expect(parsed()[0]).toMatchObject({ text: expected, nested: { list: [expected] }, msg: expected });
});

test('lines name the request that they are written for, also after a wait', async () => {
  const lines: string[] = [];
  const scope = createRequestScope();
  const secretTexts = knownSecretTexts({ secretValues: [] });
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'info', secretTexts, scope, destination });
  const work = async (sentence: string, fields: object = {}): Promise<void> => {
    await Promise.resolve();
    logger.info(fields, sentence);
  };
  await Promise.all([scope.run('r1', () => work('one')), scope.run('r2', () => work('two', { request: 'own' }))]);
  logger.info({}, 'outside');
  const told = lines.map((line) => JSON.parse(line)).map(({ msg, request }) => [msg, request]);
  expect(Object.fromEntries(told)).toEqual({ one: 'r1', two: 'own', outside: undefined });
});

test('at a terminal a line is text, hostile text still on one line, and secrets hidden', () => {
  const lines: string[] = [];
  const secretTexts = knownSecretTexts({ secretValues: [ADMIN_TOKEN] });
  const destination = openPrettyLines({ write: (line: string) => void lines.push(line) });
  const logger = createLogger({ level: 'info', secretTexts, destination });
  logger.warn({ build: 7, path: `/a\n\u001b[31m${ADMIN_TOKEN}` }, 'request refused');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: request refused \{"build":7,"path":"\/a\\n.*\[secret\]"\}\n$/);
  expect(lines[0]).not.toContain('\u001b[31m');
});
