import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { coverageFileSchema } from './json-schema.ts';
import { readCoverageFile } from './read-file.ts';

const read = (text: string) => readCoverageFile(Buffer.from(text));

/** Each problem as `line:column message`. */
function problemsOf(text: string): readonly string[] {
  const found = read(text);
  return 'problems' in found ? found.problems.map(({ line, column, message }) => `${line}:${column} ${message}`) : [];
}

const WHOLE = `version: 1
ignore: ['**/*.pb.go', 'docs/**', '!docs/tool.go']
paths: { 'go.etcd.io/etcd/api/v3': api }
uploads: 24
total: { minimum: 80%, drop: 0.5, ratchet: { tolerance: 0.5 } }
changes: { minimum: base, drop: 1, until: 2027-01-31 }
elsewhere: show
flags:
  1.20: { carry: yes, drop: 1, uploads: 4, paths: [src/**], changes: { minimum: 90 } }
  e2e: off
groups:
  - name: Backend
    paths: [packages/cli/**, packages/core/**]
    total: { drop: 0 }
    status: true
  - { owner: '@acme/pages', total: { minimum: 66.67 }, untouched: judge }
  - { each: 'packages/*', name: 'Package {1}', informational: true }
owners: true
untouched: pass
branches: [main, 'release/*']
comment: on-missed
annotations: off
informational: no
ignore_removed_code: true
ignore_untouched_files: false
`;

test('a whole file, with the line of each value', () => {
  const found = read(WHOLE);
  if ('problems' in found) throw new Error(JSON.stringify(found.problems));
  expect(found.file).toMatchObject({
    uploads: 24,
    total: { minimum: 80, drop: 0.5, ratchet: { tolerance: 0.5 } },
    changes: { minimum: 'base', until: '2027-01-31' },
    flags: { '1.20': { carry: true }, e2e: { off: true } },
    groups: [{ name: 'Backend' }, { owner: '@acme/pages', total: { minimum: 66.67 } }, { each: 'packages/*' }],
    annotations: false,
    informational: false,
  });
  expect(found.lines.get('total.minimum')).toBe(5);
  expect(found.lines.get('flags.1.20.carry')).toBe(9);
  expect(found.lines.get('groups[1].total.minimum')).toBe(16);
});

test.each(['', '# only a remark\n', '---\n', '\uFEFFversion: 1\n'])('%j is a file that says nothing', (text) => {
  const found = read(text);
  expect('file' in found && { ...found.file, version: undefined }).toEqual({ version: undefined });
});

describe('what is wrong, where, and what to do', () => {
  test.each([
    ['uploads: 0', '1:10 `uploads` must be a whole number from 1 to 1000, or `run`, not `0`.'],
    ['total:\n  minumum: 90', '2:3 `minumum` isn’t a known key of `total`. Did you mean `minimum`?'],
    ['informational: maybe', '1:16 `informational` must be `true` or `false`, not `maybe`.'],
    ['total: { target: 80 }', '1:10 `target` isn’t a known key of `total`. Did you mean `minimum`?'],
    ['total: { threshold: 1 }', '1:10 `threshold` isn’t a known key of `total`. Did you mean `drop`?'],
    [
      'total: { xyz: 1 }',
      '1:10 `xyz` isn’t a known key of `total`. Known here: minimum, drop, informational, until, off, ratchet.',
    ],
    ['component_management: {}', '1:1 `component_management` isn’t a known key. Did you mean `groups`?'],
    ['total: { minimum: 101 }', '1:19 `total.minimum` must be a percentage from 0 to 100, not `101`.'],
    ['total: { drop: -1 }', '1:16 `total.drop` must be a number of points from 0 to 100, not `-1`.'],
    ['total: { until: 2027-02-30 }', '1:17 `total.until` must be a day like 2027-01-31, not `2027-02-30`.'],
    [
      'total: 80',
      '1:8 `total` must be `off`, or a map with `minimum`, `drop`, `informational`, `until`, `off` or `ratchet`, not',
    ],
    ['flags:\n', '1:1 `flags` has no value. Give it one, or remove the key.'],
    ['ignore: docs/**', '1:9 `ignore` must be a list of patterns, at most 500, not `docs/**`.'],
    ['ignore: [{}]', '1:10 `ignore[0]` must be a pattern of at most 500 characters, not a map.'],
    ['total: {}\ntotal: {}', '2:1 `total` stands here twice. Keep one of them.'],
    [
      'comment: [off]',
      '1:10 `comment` must be `off`, `always`, `on-change`, `on-drop` or `on-missed`, not a list of 1.',
    ],
    ['- a', '1:1 The file must be a map with'],
    ['? [a]\n: b', '1:3 The file has a key that is no text.'],
    ['total: *x', '1:8 No `&x` stands before this.'],
    ['total: {', '1:9 This is not YAML that can be read: '],
    ['groups: [{ name: A }]', '1:10 This group has no files. Give it `paths`, `owner`, `each` or `flags`.'],
    ['groups: [{ paths: [a] }]', '1:10 This group has no `name`. Give it one.'],
    [
      'groups: [{ name: A, paths: [a], owner: "@a/b" }]',
      '1:33 A group has its files from one of `paths` and `owner`. Remove the others.',
    ],
    [
      'groups: [{ name: A, paths: [a] }, { name: a, paths: [b] }]',
      '1:37 Group 1 of this list has this name already. Give this one another `name` or `id`.',
    ],
    ['groups: [{ each: packages/*, name: A }]', '1:30 With `each` the name holds `{1}` once, for what the `*` found.'],
    [
      'groups: [{ each: packages/*, id: a }]',
      '1:30 With `each` there are several groups, so that they share no `id`. Remove it.',
    ],
    [
      'groups: [{ each: packages/*, status: true }]',
      '1:30 With `each` groups have no commit statuses of their own. Remove `status`.',
    ],
    [
      'groups: [{ each: "packages/*/src/*" }]',
      '1:18 `groups[0].each` must be a pattern with one `*`, not `packages/*/src/*`.',
    ],
    [
      `groups: [${Array.from({ length: 21 }, (_, at) => `{name: g${at}, paths: [a], status: true}`).join(',')}]`,
      '1:784 21 groups have a commit status of their own. At most 20 may.',
    ],
    [
      'changes: { minimum: 80, drop: 1 }',
      '1:25 Changed lines have no `drop` of their own: `minimum: base` allows it. Add that, or remove `drop`.',
    ],
  ])('%s', (text, problem) => expect(problemsOf(text)[0]).toContain(problem));

  test('every problem is named, in the order of the lines', () => {
    expect(problemsOf('uploads: 0\ntotal: { minumum: 1 }\ninformational: x').map((one) => one.slice(0, 2))).toEqual([
      '1:',
      '2:',
      '3:',
    ]);
  });
});

describe('a hostile file', () => {
  const bomb = Array.from(
    { length: 30 },
    (_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? 'x' : `*a${at - 1}`)}]`,
  );
  const deep = (open: string) => open.repeat(30_000);

  test.each([
    [
      'aliases of aliases',
      `flags: &f\n  a: { paths: [${Array(101).fill('*p').join(',')}] }\nignore: &p x`,
      'No `&p` stands',
    ],
    [
      'more than 100 aliases',
      `ignore: [&p x]\nbranches: [${Array(101).fill('*p').join(',')}]`,
      'The file uses more than 100 aliases of YAML. Write them out.',
    ],
    ['itself', 'flags: &f\n  x: *f', '`x` isn’t a known key of `flags.x`.'],
    ['lists in lists', deep('['), 'The file is nested too deeply to be read.'],
    ['maps in maps', deep('{'), 'The file is nested too deeply to be read.'],
    ['items in items', deep('- '), 'The file is nested too deeply to be read.'],
    ['NUL', 'ignore: [a]\nbranches: ["\0"]', 'The character U+0000, which is not seen, is not allowed. Remove it.'],
    ['an override of the direction', '# \u202E0 :muminim\n', 'The character U+202E'],
    ['the same by an escape', 'ignore: ["a\\u202Eb"]', 'The character U+202E'],
    ['half a character by an escape', '"\\ud800": 1', 'The character U+D800'],
    ['a tag', 'ignore: [!!js/function x]', 'Tags such as `tag:yaml.org,2002:js/function` are not allowed.'],
    ['another version of YAML', '%YAML 1.1\n---\n<<: { total: off }', '`<<` isn’t a known key.'],
    ['two documents', 'total: off\n---\ntotal: {}', 'This is not YAML that can be read: '],
    ['65 KiB', `#${'x'.repeat(65 * 1024)}`, 'The file has 66561 bytes. At most 65536 are read.'],
    [
      '6,000 flags',
      `flags:\n${Array.from({ length: 6_000 }, (_, at) => ` k${at}: {}`).join('\n')}`,
      'at most 500: it has 6000.',
    ],
    ['names of objects', '__proto__: { total: off }', '`__proto__` isn’t a known key.'],
  ])('%s', (_, text, problem) => expect(problemsOf(text).join('\n')).toContain(problem));

  test('no text that grows without bound', () => {
    expect(problemsOf(bomb.join('\n')).length).toBeLessThanOrEqual(50);
    expect(problemsOf(`"${'x`'.repeat(20_000)}": 1`)[0]?.length).toBeLessThan(400);
  });

  test('bytes that are no text', () => {
    expect(readCoverageFile(Uint8Array.of(0x61, 0xff))).toEqual({
      problems: [{ line: 1, column: 1, message: 'The file is not UTF-8 text. Save it as UTF-8.' }],
    });
  });

  test('a flag called __proto__ is a flag like others', () => {
    const found = read('flags: { __proto__: { minimum: 80 } }');
    expect('file' in found && Object.entries(found.file.flags ?? {})).toEqual([['__proto__', { minimum: 80 }]]);
  });

  test('any text is answered', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'[]{}&*!|>-:?,#"\'%@` \n\tab019.', 'total', '<<', '!!str'), { maxLength: 80 }),
        (parts) => {
          expect(read(parts.join(''))).toBeDefined();
        },
      ),
    );
  });
});

describe('the JSON Schema', () => {
  const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(
    coverageFileSchema('https://coverage.example/coverage.schema.json'),
  );

  test('takes the whole file', async () => {
    const { parse } = await import('yaml');
    expect(validate(parse(WHOLE)), JSON.stringify(validate.errors)).toBe(true);
  });

  /** Values near what the file may hold: some are right. */
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      80,
      '80%',
      '66.67',
      101,
      -1,
      0,
      true,
      false,
      'off',
      'yes',
      'base',
      'run',
      'x',
      '',
      'on-drop',
      '2027-01-31',
      [],
      ['a'],
      [1],
      {},
    ),
    fc.record(
      { minimum: fc.constantFrom(80, '12.5%', 'base', 'x'), until: fc.constantFrom('2027-01-31', 'x') },
      { requiredKeys: [] },
    ),
  );
  const keys = [
    'version',
    'ignore',
    'uploads',
    'total',
    'changes',
    'elsewhere',
    'owners',
    'untouched',
    'branches',
    'comment',
    'annotations',
    'paths',
  ];

  test('takes and refuses what the check does', () => {
    const file = fc.dictionary(fc.constantFrom(...keys, 'other'), value, { maxKeys: 2 });
    const flags = fc.record({
      flags: fc.dictionary(
        fc.constantFrom('unit', 'e2e'),
        fc.oneof(value, fc.record({ carry: value, uploads: value })),
      ),
    });
    const seen = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(fc.oneof(file, flags), (one) => {
        const problems = problemsOf(stringify(one));
        // What no schema says: values that do not go together.
        if (problems.some((problem) => problem.includes('no `drop` of their own'))) return;
        seen[problems.length === 0 ? 'right' : 'wrong'] += 1;
        expect(validate(one), `${JSON.stringify(one)} ${problems} ${JSON.stringify(validate.errors)}`).toBe(
          problems.length === 0,
        );
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(100);
  });
});
