import fc from 'fast-check';

/** Names as file systems, and those who attack them, have them. */
const names = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'a.ts',
      'src/é.py',
      './lib/x.rb',
      '/abs/y.c',
      'dir\\z.cs',
      'レポート/長い名前.java',
      '👩‍👩‍👧.kt',
    ),
  },
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '.',
    '/',
    '//',
    '..',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'a'.repeat(4_096),
    'b'.repeat(4_097),
    '\ud800',
    '\0',
    '‮evil',
  ),
);
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    true,
    [],
    {},
    [[]],
    [{}],
    'x'.repeat(70_000),
    Number.MIN_SAFE_INTEGER,
  ),
);
const hits = fc.oneof(
  { weight: 90, arbitrary: fc.constantFrom(null, 0, 1, 7, 123) },
  { weight: 5, arbitrary: fc.double({ noNaN: true }) },
  odd,
);
const column = fc.oneof({ weight: 30, arbitrary: fc.array(hits, { maxLength: 12 }) }, odd);
const branches = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.tuple(fc.nat(9), fc.nat(2), fc.nat(2), fc.nat(3)), { maxLength: 6 })
      .map((all) => all.flat()),
  },
  column,
);
const usually = <T>(usual: fc.Arbitrary<T>, weight = 40) => fc.oneof({ weight, arbitrary: usual }, odd);

const hexDigits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), maxLength });

const sourceFile = fc.record(
  {
    name: usually(names),
    coverage: column,
    branches,
    source: usually(fc.string({ unit: 'grapheme' })),
    source_digest: usually(hexDigits(140)),
    branchesList: odd,
  },
  { requiredKeys: ['name'] },
);

const hunk = usually(fc.tuple(fc.nat(9), fc.nat(3), fc.nat(9), fc.nat(3)));
const diffs = fc.record({
  base_sha: usually(fc.constant('b'.repeat(40))),
  head_sha: usually(fc.constant('a'.repeat(40))),
  complete: usually(fc.boolean()),
  files: usually(
    fc.array(
      fc.record({
        name: usually(names),
        previous_name: usually(names),
        kind: usually(fc.constantFrom('added', 'removed', 'modified', 'renamed')),
        hunks: usually(fc.array(hunk, { maxLength: 3 })),
      }),
      { maxLength: 4 },
    ),
  ),
});

/** A job as an object; mostly a good one, with the token of the repo, or an odd one at any place. */
function jobs(token: string): fc.Arbitrary<unknown> {
  const fields = {
    repo_token: usually(fc.constant(token), 60),
    service_name: usually(fc.constantFrom('ci', 'github', 'travis-ci')),
    service_number: usually(fc.nat({ max: 50 })),
    service_job_id: usually(fc.uuid()),
    service_pull_request: usually(fc.constantFrom(7, 'false', 'https://x/pull/9', '')),
    parallel: usually(fc.constantFrom(true, 'true', '0', false)),
    flag_name: usually(names),
    run_at: usually(fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-02 03:04:05 +0000', 'yesterday')),
    git: fc.oneof(
      fc.record({
        branch: usually(names),
        head: usually(fc.record({ id: usually(hexDigits(40)), message: names })),
      }),
      odd,
    ),
    environment: odd,
    diff: usually(diffs),
    source_files: fc.oneof({ weight: 30, arbitrary: fc.array(sourceFile, { maxLength: 5 }) }, odd),
  };
  const required = ['repo_token', 'source_files'] as const;
  return fc.oneof({ weight: 40, arbitrary: fc.record(fields, { requiredKeys: [...required] }) }, odd);
}

/** Things that only the text of JSON can have. */
const spellings = fc.constantFrom<(json: string) => string>(
  ...Array.from({ length: 24 }, () => (json: string) => json),
  (json) => `\ufeff${json}`,
  (json) => ` \r\n\t${json}\n`,
  (json) => json.replace('{', '{"source_files":[],"source_files":null,'),
  (json) => json.replace('{', '{"repo_token":"first","repo_token":"second",'),
  (json) => json.replace('{', '{"__proto__":{"a":1},"constructor":1,'),
  (json) => json.replace('"name"', '"n\\u0061me"'),
  (json) => json.replaceAll('é', '\\u00e9'),
  (json) => json.replace('{', `{"x":${'['.repeat(600)}${']'.repeat(600)},`),
  (json) => json.replace('{', `{"x":${'['.repeat(100_000)},`),
  (json) => json.replace('}', `,"k":"${'k'.repeat(200_000)}"}`),
  (json) => `${json}${json}`,
  (json) => json.replaceAll('"', "'"),
  (json) => json.replace('1', '1e400'),
  () => `{"source_files":[${'{"name":"a","coverage":[1]},'.repeat(3_000)}{"name":"a"}]}`,
  () => `{"source_files":[{"name":"a","branches":[${'9,0,0,1,1,0,0,1,'.repeat(5_000)}1,0,0,1]}]}`,
  () => `{${'"a":1,'.repeat(50_000)}"b":2}`,
);

/** The bytes of a text in the charset that a client has, not always the one it should have. */
const charsets = fc.constantFrom<BufferEncoding>(...Array<'utf8'>(15).fill('utf8'), 'latin1', 'utf16le');

export interface JobText {
  readonly json: string;
  readonly charset: BufferEncoding;
}

/** A job's JSON, often good. */
export function jobTexts(token: string): fc.Arbitrary<JobText> {
  return fc
    .record({ job: jobs(token), spell: spellings, charset: charsets })
    .map(({ job, spell, charset }) => ({ json: spell(JSON.stringify(job)), charset }));
}
