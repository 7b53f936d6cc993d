import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../test/support/any-text.ts';
import { describePacked } from '../../../../test/support/packed-reports.ts';
import { numRuns } from '../../../../test/support/property-runs.ts';
import { Failure } from '../../core/failure.ts';
import { buildReport } from './build-report.ts';
import { checkDiff } from './diff-field.ts';
import { reduceEnvelope } from './envelope.ts';
import { scanJob } from './job-scanner.ts';
import { isTooDeep, JsonWalker } from './json-walker.ts';
import { parseJob, parseSlowly, type ReadJob } from './parse-job.ts';

const LIMIT = 2 ** 20;

/** Everything that an upload's answer is made of, or the failure. */
function outcome(read: () => ReadJob): unknown {
  try {
    const { job, warnings } = read();
    const built = buildReport(job);
    return {
      ...built,
      report: describePacked(built.report),
      envelope: reduceEnvelope(job.envelope),
      diff: checkDiff(job.envelope.diff),
      hasSourceFiles: job.hasSourceFiles,
      textWarnings: warnings,
    };
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    const { code, message, field } = error as Failure;
    return { code, message, field };
  }
}

/** Answers whether the scanner took it. */
function expectAgreement(text: string | Uint8Array): boolean {
  const bytes = Buffer.from(text as string);
  const scanned = scanJob(bytes);
  if (scanned === undefined) return false;
  expect(outcome(() => ({ job: scanned, warnings: [] }))).toEqual(outcome(() => parseSlowly(bytes, LIMIT)));
  return true;
}

const number = fc.oneof(
  { weight: 6, arbitrary: fc.nat(1_200).map(String) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '-1',
        '-0',
        '0.5',
        '1e3',
        '1E-2',
        '999999999',
        '1000000000',
        '2147483647',
        '2147483648',
        '-2147483649',
        '4294967295',
      ],
      ...['9007199254740991', '9007199254740993', '123456789012345678901', '1e400', '-0.5', '0e5', '100', '99', '10'],
    ),
  },
);
const space = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n  ', '\t', '\r\n') },
);
const badNumber = fc.constantFrom(
  '01',
  '-',
  '+1',
  '1.',
  '.5',
  '1e',
  'nul',
  'true',
  '"1"',
  '[]',
  '{}',
  '1 2',
  '',
  'NaN',
  '\u00a01',
  '00',
);
const list = (entry: fc.Arbitrary<string>, maxLength = 12) =>
  fc
    .array(fc.tuple(space, entry, space), { maxLength })
    .map((all) => `[${all.map((parts) => parts.join('')).join(',')}]`);
const coverage = list(
  fc.oneof(
    { weight: 9, arbitrary: number },
    { weight: 6, arbitrary: fc.constant('null') },
    { weight: 1, arbitrary: fc.oneof({ weight: 20, arbitrary: number }, { weight: 1, arbitrary: badNumber }) },
  ),
);
const branches = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.tuple(fc.nat(3), fc.integer({ min: -2, max: 2 }), fc.nat(3), number), { maxLength: 5 })
      .map((all) => `[${all.flat().join(',')}]`),
  },
  { weight: 1, arbitrary: list(number, 8) },
  { weight: 1, arbitrary: fc.constantFrom('null', '[null,0,0,0]', '[1,0,0]', '{}', '[ ]') },
);
const text = fc
  .oneof(fc.string({ maxLength: 8 }), anyText({ maxLength: 5 }), fc.constantFrom('a', './a', 'a//b\\c', '/', '.'))
  .map((value) => JSON.stringify(value));
const junk = fc.json({ maxDepth: 3 });
const member = (key: string, value: fc.Arbitrary<string>) => fc.tuple(fc.constant(`"${key}"`), value);
const fileMember = fc.oneof(
  { weight: 8, arbitrary: member('name', fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: junk })) },
  {
    weight: 8,
    arbitrary: member(
      'coverage',
      fc.oneof({ weight: 9, arbitrary: coverage }, { weight: 1, arbitrary: fc.constantFrom('null', '7', '{}') }),
    ),
  },
  { weight: 4, arbitrary: member('branches', branches) },
  { weight: 3, arbitrary: member('source_digest', fc.oneof(text, junk)) },
  { weight: 3, arbitrary: member('source', fc.oneof(text, junk)) },
  { weight: 2, arbitrary: fc.tuple(text, junk) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('"covergae"', '"Branches"', '"s\u00f6urce"', '"7"'), junk) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<[string, string]>(['"n\\u0061me"', '"b"'], ['"branchesList"', '[{"a":[1]}]']),
  },
);
const object = (members: fc.Arbitrary<readonly (readonly [string, string])[]>) =>
  fc
    .tuple(members, space)
    .map(([all, blank]) => `{${all.map(([key, value]) => `${blank}${key}${blank}:${blank}${value}`).join(',')}}`);
const usualFile = fc
  .tuple(text, coverage, branches)
  .map(
    ([name, hits, groups]) =>
      `{"name":"a"${name === '""' ? '' : `,"x":${name}`},"coverage":${hits},"branches":${groups}}`,
  );
const anyFile = fc.oneof(
  { weight: 3, arbitrary: usualFile },
  { weight: 3, arbitrary: object(fc.uniqueArray(fileMember, { maxLength: 5, selector: ([key]) => key })) },
  { weight: 1, arbitrary: object(fc.array(fileMember, { maxLength: 3 })) },
);
const diffFile = fc.record(
  {
    name: fc.constantFrom('a', './b//c', ''),
    kind: fc.constantFrom('added', 'modified', 'odd'),
    hunks: fc.constantFrom([], null, [[1, 1, 1, 2]], [[1]]),
  },
  { requiredKeys: ['name'] },
);
const diff = fc
  .record({
    base_sha: fc.constant('b'.repeat(40)),
    head_sha: fc.constant('a'.repeat(40)),
    complete: fc.boolean(),
    files: fc.array(diffFile, { maxLength: 3 }),
  })
  .map((value) => JSON.stringify(value));
const topMember = fc.oneof(
  { weight: 2, arbitrary: member('diff', fc.oneof(diff, junk, fc.constantFrom('null', '""', '7'))) },
  {
    weight: 8,
    arbitrary: member(
      'source_files',
      fc.oneof(
        { weight: 9, arbitrary: list(anyFile, 4) },
        { weight: 1, arbitrary: fc.constantFrom('null', '{}', '[7]') },
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: member(
      'git',
      fc.oneof(
        junk,
        fc.constantFrom('{"head":{"id":"x","message":"y\\n"},"branch":"b","remotes":[{"url":"u"}]}', '[{}]'),
      ),
    ),
  },
  { weight: 2, arbitrary: member('parallel', fc.constantFrom('true', '"1"', 'null', '0')) },
  { weight: 1, arbitrary: member('json', fc.oneof(text, junk)) },
  { weight: 2, arbitrary: fc.tuple(text, junk) },
);
const job = object(fc.uniqueArray(topMember, { maxLength: 5, selector: ([key]) => key }));

describe('the scanner agrees with JSON.parse and checks', () => {
  it('on jobs of all kinds', () => {
    let scanned = 0;
    fc.assert(
      fc.property(job, (value) => {
        if (expectAgreement(value) && value.includes('"coverage"')) scanned += 1;
      }),
      { numRuns: numRuns(20_000) },
    );
    expect(scanned).toBeGreaterThan(numRuns(20_000) / 25);
  });

  it('on jobs with a byte changed, and on jobs that are cut', () => {
    const damaged = fc.tuple(job, fc.nat(300), fc.nat(255), fc.boolean()).map(([value, at, byte, cut]) => {
      const bytes = Buffer.from(value);
      if (cut) return bytes.subarray(0, at);
      if (at < bytes.length) bytes[at] = byte;
      return bytes;
    });
    fc.assert(
      fc.property(damaged, (value) => {
        expectAgreement(value);
        outcome(() => parseJob(value, LIMIT));
      }),
      { numRuns: numRuns(10_000) },
    );
  });

  it('on arrays longer than its buffer', () => {
    const file = (count: number, entry: (index: number) => unknown) => ({
      name: `n${count}`,
      coverage: Array.from({ length: count }, (_, index) => entry(index)),
    });
    const files = [4_095, 4_096, 4_097, 20_000].map((count) =>
      file(count, (index) => (index % 3 === 0 ? null : index)),
    );
    const bytes = Buffer.from(JSON.stringify({ source_files: [...files, file(5_000, () => 2 ** 40), ...files] }));
    expect(scanJob(bytes)).toBeDefined();
    expect(outcome(() => parseJob(bytes, 2 ** 24))).toEqual(outcome(() => parseSlowly(bytes, 2 ** 24)));
  });

  it.each([
    [
      'floats, exponents, negatives and wide numbers',
      '{"source_files":[{"name":"a","coverage":[0.5,1e3,-1,9007199254740993,null]}]}',
    ],
    [
      'indented JSON',
      JSON.stringify({ source_files: [{ name: 'a', coverage: [1, null, 22, 333], branches: [1, 0, 0, 4] }] }, null, 4),
    ],
    [
      'unknown keys everywhere',
      '{"x":[[]],"source_files":[{"name":"a","branchesList":[{"a":{}}],"coverage":[]}],' +
        '"git":{"head":{"commiter_name":1}}}',
    ],
    [
      'nulls',
      '{"git":null,"source_files":[{"name":"a","coverage":null,"branches":null,"source":null,"source_digest":null}]}',
    ],
  ])('takes the fast way for %s', (_, value) => {
    expect(scanJob(Buffer.from(value))).toBeDefined();
    expectAgreement(value);
  });

  it.each([
    ['a repeated key', '{"parallel":1,"parallel":2}'],
    ['an escaped key', '{"\\u0070arallel":1}'],
    ['invalid UTF-8', Buffer.from([...Buffer.from('{"service_name":"'), 0xff, ...Buffer.from('"}')])],
    ['a wrong type', '{"source_files":[{"name":1}]}'],
  ])('leaves %s to the slow way', (_, value) => expect(scanJob(Buffer.from(value as string))).toBeUndefined());
});

describe('JsonWalker', () => {
  it('takes exactly what JSON.parse takes', () => {
    const piece = fc.constantFrom(
      ...'{}[]:,"\\ \n0123456789-+.eEtrufalsn'.split(''),
      'true',
      'null',
      '"a"',
      '\\u00e9',
      'é',
      '\u0000',
    );
    const almost = fc.oneof(
      fc.json(),
      job,
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(almost, fc.nat(60), fc.boolean(), (value, at, cut) => {
        const document = cut ? value.slice(0, at).toWellFormed() : value;
        let valid = true;
        try {
          JSON.parse(document);
        } catch {
          valid = false;
        }
        expect(new JsonWalker(Buffer.from(document)).walkDocument()).toBe(valid);
      }),
      { numRuns: numRuns(2_000) },
    );
  });

  it('bounds how deep values are nested', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    for (const [depth, fine] of [
      [500, true],
      [501, false],
      [1_000_000, false],
    ] as const) {
      expect(new JsonWalker(nested(depth)).walkDocument()).toBe(fine);
      expect(isTooDeep(nested(depth))).toBe(!fine);
    }
  });
});
