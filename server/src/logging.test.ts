import { expect, test } from 'vitest';
import { HOST_TOKEN_FORMS as tokenForms } from './compose/hosts.ts';
import { createLogger, type LogLevel } from './logging.ts';

function record(level: LogLevel = 'info') {
  const lines: string[] = [];
  const logger = createLogger({ level, tokenForms, destination: { write: (line: string) => void lines.push(line) } });
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
  ['nothing secret: https://x.example/a@b format=1', 'nothing secret: https://x.example/a@b format=1'],
])('no secret stays in a line: %s', (text, expected) => {
  const { logger, parsed } = record();
  logger.info({ text, nested: { list: [text] } }, text);
  expect(parsed()[0]).toMatchObject({ text: expected, nested: { list: [expected] }, msg: expected });
});
