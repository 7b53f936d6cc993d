import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unpackReport } from '../../../../test/support/packed-reports.ts';
import { normalizeFileName } from '../../core/coverage/file-name.ts';
import { Failure } from '../../core/failure.ts';
import { buildReport } from './build-report.ts';
import { reduceEnvelope } from './envelope.ts';
import { cleanFileName } from './file-names.ts';
import { parseJob } from './parse-job.ts';
import { SourceTexts } from './source-texts.ts';

const LIMIT = 2 ** 20;

function refusalOf(value: string): unknown {
  try {
    return parseJob(Buffer.from(value), LIMIT);
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    const { code, message, field } = error as Failure;
    return { code, message, field };
  }
}

describe('cleanFileName', () => {
  it('changes what normalizeFileName changes, and nothing else', () => {
    const name = fc
      .array(fc.constantFrom('a', '.', '..', '/', '\\', ' ', 'é', '\u0000', 'b.c'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(name, (value) => {
        const expected = normalizeFileName(value);
        expect(cleanFileName(value)).toBe(expected === '' || expected === '/' ? undefined : expected);
      }),
    );
  });
});

describe('SourceTexts', () => {
  it.each([0, 1, 255, 256, 257, 511, 512, 513, 300_000])('keeps %i bytes as a zstd frame', (length) => {
    const texts = new SourceTexts();
    const text = 'é'.repeat(length >> 1) + 'x'.repeat(length & 1);
    texts.add(text);
    expect(zstdDecompressSync(texts.list()[0]?.bytes ?? '').toString()).toBe(text);
  });
});

describe('what a job may hold', () => {
  const parse = (value: unknown) => {
    const { job: parsed, warnings } = parseJob(Buffer.from(JSON.stringify(value)), LIMIT);
    const { envelope, warnings: cuts } = reduceEnvelope(parsed.envelope);
    const report = buildReport(parsed);
    return {
      ...report,
      report: unpackReport(report.report),
      envelope,
      warnings: [...warnings, ...cuts, ...report.warnings],
    };
  };
  const file = (more: object) => parse({ source_files: [{ name: 'a.py', coverage: [], ...more }] });

  it.each([{}, { source_files: null }, { source_files: [] }])('no files: %j', (value) =>
    expect(parse(value).report.files).toEqual([]),
  );

  it.each([
    { value: [], field: undefined, says: /must be a JSON object, but is an array of 0/ },
    { value: 7, field: undefined, says: /is 7/ },
    { value: { source_files: 'x' }, field: 'source_files', says: /must be an array, but is "x"/ },
    { value: { source_files: [{ name: 'a' }, 7] }, field: 'source_files[1]', says: /must be an object, but is 7/ },
    { value: { source_files: [{}] }, field: 'source_files[0].name', says: /path/ },
    { value: { source_files: [{ name: './' }] }, field: 'source_files[0].name', says: /names a file, but is ".\/"/ },
    { value: { source_files: [{ name: 'x'.repeat(4_097) }] }, field: 'source_files[0].name', says: /at most 4096/ },
    {
      value: { source_files: [{ name: 'a', coverage: [1, true] }] },
      field: 'source_files[0].coverage[1]',
      says: /a number or null, but is true/,
    },
    {
      value: { source_files: [{ name: 'a', coverage: [['x']] }] },
      field: 'source_files[0].coverage[0]',
      says: /an array of 1/,
    },
    { value: { source_files: [{ name: 'a', coverage: '1' }] }, field: 'source_files[0].coverage', says: /an array/ },
    {
      value: { source_files: [{ name: 'a\u0000', branches: [1, 2, 3] }] },
      field: 'source_files[0].branches',
      says: /of "a\\u0000" must have four.*has 3/,
    },
    {
      value: { source_files: [{ name: 'a', branches: [-1, 0, 0, 1] }] },
      field: 'source_files[0].branches[0]',
      says: /0 or more, but is -1/,
    },
    {
      value: { source_files: [{ name: 'a', branches: [1, 0.5, 0, 1] }] },
      field: 'source_files[0].branches[1]',
      says: /an integer, but is 0.5/,
    },
    {
      value: { source_files: [{ name: 'a', branches: [1, 0, 0, null] }] },
      field: 'source_files[0].branches[3]',
      says: /a number, but is null/,
    },
  ])('refused: $field $says', ({ value, field, says }) => {
    const failure = refusalOf(JSON.stringify(value));
    expect(failure).toMatchObject({ code: 'payload-invalid', field, message: expect.stringMatching(says) });
  });

  it('hits are floored, saturated, and 0 where negative, with one warning (rule 1)', () => {
    const { report, warnings } = file({
      coverage: [1.9, -3, null, 1e300, -0.5],
      branches: [2, 0, 0, -7, 2, 0, 1, 2.5],
    });
    expect([...(report.files[0]?.hits ?? [])]).toEqual([1, 0, -1, Number.MAX_SAFE_INTEGER, 0]);
    expect([...(report.files[0]?.branches.hits ?? [])]).toEqual([0, 2]);
    expect(warnings).toEqual([
      'Negative hits count as 0 (2 of them, the first in "a.py" at line 2).',
      'Negative hits count as 0 (1 of them, the first in "a.py" at branch 1).',
    ]);
  });

  it('a name that occurs twice is merged (rule 8)', () => {
    const { report } = parse({
      source_files: [{ name: 'b//c', coverage: [1, null] }, { name: 'a' }, { name: './b/c', coverage: [2, 0, 1] }],
    });
    expect(report.files.map(({ name, hits }) => [name, [...hits]])).toEqual([
      ['a', []],
      ['b/c', [3, 0, 1]],
    ]);
  });

  it.each([
    ['  ABCDEF ', 'abcdef'],
    ['', undefined],
    [null, undefined],
    ['F'.repeat(128), 'f'.repeat(128)],
  ])('digest %j', (digest, kept) => {
    expect(file({ source_digest: digest })).toMatchObject({ report: { files: [{ digest: kept }] }, warnings: [] });
  });

  it.each([
    ['a\nb\n', [1, 0], [1, 0, 0, 1, 2, 0, 0, 1], 2],
    ['a\nb\nc', [1, 0, 5], [1, 0, 0, 1, 2, 0, 0, 1], 2],
    ['a\rb\u2028c\n', [1, 0, 5], [1, 0, 0, 1, 2, 0, 0, 1], 2],
    ['a\nb\nc\nd\ne\nf', [1, 0, 5, -1, 7], [1, 0, 0, 1, 2, 0, 0, 1, 6, 0, 0, 1], 0],
  ])('what is beyond the end of the text %j is left out, and counted', (source, hits, kept, left) => {
    const coverage = [1, 0, 5, null, 7];
    const branches = [1, 0, 0, 1, 2, 0, 0, 1, 6, 0, 0, 1];
    const { report, warnings } = file({ source, coverage, branches });
    const [found] = report.files;
    expect([...(found?.hits ?? [])]).toEqual(hits);
    const groups = [...(found?.branches.line ?? [])].flatMap((line, index) => [
      line,
      0,
      0,
      found?.branches.hits[index],
    ]);
    expect(groups).toEqual(kept);
    const lines = hits.length === 2 ? 3 : left;
    expect(warnings).toEqual(
      left === 0
        ? []
        : [
            `${lines} lines beyond the end of 1 file are left out: the report was made from a different version of ` +
              'the file.',
          ],
    );
  });

  it('a text that is as long as its coverage, or longer, or unknown, leaves all of it', () => {
    const coverage = [1, null, null];
    for (const source of ['a\n', 'a', '', null, undefined]) expect(file({ source, coverage }).warnings).toEqual([]);
  });

  it.each([7, 'x'.repeat(129), {}])('digest %j is ignored with a warning', (digest) => {
    const { report, warnings } = file({ source_digest: digest });
    expect(report.files[0]?.digest).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/source_digest was ignored where .*files: 1, the first "a.py"/)]);
  });

  it('keeps each distinct source once', () => {
    const { sources, filesWithoutSource, report } = parse({
      source_files: ['x = 1\n', 'x = 1\n', 'é', '', undefined].map((source, index) => ({ name: `f${index}`, source })),
    });
    expect(sources).toHaveLength(2);
    expect(filesWithoutSource).toBe(1);
    expect(report.files[0]?.source).toBe(report.files[1]?.source);
    expect(report.files[2]?.source).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  });

  it('drops what may be secret of remotes, the environment and unknown keys', () => {
    const { envelope } = parse({
      service_name: 'ci',
      parallel: 'true',
      configuration: {},
      service_number: { a: 1 },
      git: { head: { id: 'x', authorName: 'n', extra: 1 }, branch: 'b', remotes: [{ url: 'https://user:pass@host' }] },
      environment: { pwd: '/home/ci', commit_sha: 'c' },
    });
    expect(envelope).toEqual({
      service_name: 'ci',
      parallel: 'true',
      service_number: {},
      git: { head: { id: 'x', authorName: 'n' }, branch: 'b', remotes: 'https://host/' },
      environment: { commit_sha: 'c' },
    });
  });

  it('cuts a string that is too long to keep', () => {
    const { envelope, warnings } = parse({ service_name: 'x'.repeat(70_000) });
    expect(envelope.service_name).toHaveLength(65_536);
    expect(warnings).toEqual([expect.stringMatching(/service_name has 70000 characters/)]);
  });

  it('nesting without end in an unknown key is refused, not followed', () => {
    const deep = `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(refusalOf(deep)).toMatchObject({
      code: 'payload-invalid',
      message: expect.stringMatching(/nested deeper/),
    });
  });

  it('invalid UTF-8 is read as far as it can be', () => {
    const bytes = Buffer.from([...Buffer.from('{"service_name":"'), 0xe9, ...Buffer.from('"}')]);
    const { job: parsed, warnings } = parseJob(bytes, LIMIT);
    expect(parsed.envelope).toEqual({ service_name: '\ufffd' });
    expect(warnings).toEqual([expect.stringContaining('not valid UTF-8; invalid bytes were replaced')]);
  });
});
