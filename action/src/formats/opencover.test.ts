import { describe, expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { openCover } from './opencover.ts';

const FILES = '<Files><File uid="1" fullPath="C:\\w\\A.cs"/><File uid="2" fullPath="C:\\w\\B.cs"/></Files>';
const module = (methods: string): string => `<Module>${FILES}<Classes>${methods}</Classes></Module>`;
const method = (points: string, file = '<FileRef uid="1"/>'): string => `<Method>${file}${points}</Method>`;
const parse = (modules: string) => {
  const text = `<CoverageSession>\n<Modules>${modules}</Modules></CoverageSession>`;
  const { files, warnings } = openCover.parse(reportInMemory('opencover.xml', text));
  return {
    files: files.map((file) => ({ name: file.name, coverage: file.coverage(), branches: file.branches() })),
    warnings,
  };
};
const only = (points: string) => parse(module(method(points))).files[0];

describe('sequence points', () => {
  test('every line of a statement; of several statements of a line the larger count', () => {
    const points =
      '<SequencePoint vc="2" sl="1" el="2" fileid="1"/><SequencePoint vc="0" sl="2" el="2" fileid="1"/>' +
      '<SequencePoint vc="0" sl="4" fileid="1"/>';
    expect(only(points)).toEqual({ name: 'C:\\w\\A.cs', coverage: [2, 2, null, 0], branches: [] });
  });

  test('hidden ones, and those of code without a file, are none', () => {
    const points =
      '<SequencePoint vc="2" sl="16707566" el="16707566" fileid="1"/><SequencePoint vc="2" sl="1" fileid="9"/>';
    expect(only(points)?.coverage).toEqual([]);
  });

  test('old reports name the file once for the method', () => {
    const { files } = parse(module(method('<SequencePoint vc="1" sl="1" el="1"/>', '<FileRef uid="2"/>')));
    expect(files.map(({ coverage }) => coverage)).toEqual([[], [1]]);
  });

  test('a file of two modules was run in both', () => {
    const one = module(method('<SequencePoint vc="2" sl="1" el="1" fileid="1"/>'));
    expect(parse(one + one).files[0]?.coverage).toEqual([4]);
  });
});

describe('branch points', () => {
  const decision = (offset: number, hits: readonly number[]): string =>
    hits.map((vc, path) => `<BranchPoint vc="${vc}" sl="3" path="${path}" offset="${offset}" fileid="1"/>`).join('');

  test('an arm for each path; the decisions of a line are told apart by method and offset', () => {
    const text = module(method(decision(5, [1, 0]) + decision(9, [0, 4])) + method(decision(5, [1, 1])));
    const arms = [3, 0, 0, 1, 3, 0, 1, 0, 3, 1, 0, 0, 3, 1, 1, 4, 3, 2, 0, 1, 3, 2, 1, 1];
    expect(parse(text).files[0]?.branches).toEqual(arms);
  });

  test('two modules name the same arms', () => {
    const one = module(method(decision(5, [1, 0])));
    expect(parse(one + one).files[0]?.branches).toEqual([3, 0, 0, 2, 3, 0, 1, 0]);
  });

  test('one without a line is left out, with a warning', () => {
    const { files, warnings } = parse(module(method('<BranchPoint vc="0" path="1" offset="3" fileid="1"/>')));
    expect(files[0]?.branches).toEqual([]);
    expect(warnings).toEqual(['opencover.xml: 1 branch left out: the report does not say on which line']);
  });
});

test.each([
  ['<SequencePoint vc="1" fileid="1"/>', 'expected sl="<line>" on <SequencePoint>, got nothing'],
  ['<SequencePoint vc="1" sl="5" el="4" fileid="1"/>', 'expected el="<line>" on <SequencePoint>, got "4"'],
  ['<SequencePoint vc="1" sl="5" el="9999999" fileid="1"/>', 'expected el="<line>" on <SequencePoint>'],
  ['<SequencePoint vc="x" sl="5" el="5" fileid="1"/>', 'expected vc="<count>" on <SequencePoint>, got "x"'],
  ['<BranchPoint vc="1" sl="5" path="x" fileid="1"/>', 'expected path="<arms>" on <BranchPoint>, got "x"'],
])('%s is damage', (point, expected) => expect(() => only(point)).toThrow(`opencover.xml, line 2: ${expected}`));

test('the root decides', () => {
  expect(openCover.matches('<?xml version="1.0"?>\n<CoverageSession xmlns:x="y">')).toBe(true);
  expect(openCover.matches('<CoverageSessions>')).toBe(false);
});
