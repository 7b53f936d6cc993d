/** Parts of changed lines that do the same as before, so that no test can notice them: by source, with the reason. */
export const EQUAL_MUTANTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'action/src/report/checkout.ts': {
    'while (same <= a.length &&': 'it looks once more behind two equal texts',
  },
  'action/src/report/guess-names.ts': {
    'to: `${folder}/` }, { isStrong: true }': 'a usual place is sure with weak votes too',
  },
  'action/src/report/name-moves.ts': {
    'return a.votes >= b.votes': 'they differ',
    'a.from.length <= b.from.length': 'the starts of one spelling differ in length',
    'a.from.length >= b.from.length': 'the starts of one spelling differ in length',
  },
  'action/src/report/path-names.ts': {
    'if (at <= 0 || from': 'at 0 nothing is in front',
  },
  'action/src/report/source-reader.ts': {
    'if (realpathSync(path) !== path) return true;': 'only a race can tell, which Linux has closed',
    'opened.dev === dev || opened.ino === ino': 'only a race can tell, which Linux has closed',
  },
  'action/src/report/text-ends.ts': {
    'if (line >= last) last = line;': 'the same line again',
    'at > 0 && lines < asked;': 'the lines are counted the slow way then',
    'at >= 0 && lines <= asked;': 'one more line is counted than was asked for',
    'if (lines > asked) return lines;': 'the lines are counted the slow way then',
  },
  'action/src/report/common-prefixes.ts': {
    "part !== '' || part !== '*'": 'more folders are looked at, and none of them fits',
    'folder.parts.length <= parts.length': 'a name that is the place itself has no rest to look for',
  },
  'server/src/closing/choose-carried.ts': {
    'sequence <= before': 'no two builds have one sequence',
  },
  'server/src/core/builds/carryforward.ts': {
    'a.sequence >= b.sequence': 'no two builds have one sequence',
  },
  'server/src/core/builds/fit-carried.ts': {
    "typeof file === 'object' || file.name": 'a report whose files keep their names is merged to itself',
  },
  'server/src/core/verdict/findings.ts': {
    'holds: false': 'what counts is that it stands there, and no type takes it',
  },
  'shared/src/glob.ts': {
    'place = first; place <= parts.length;': 'no part follows the last one',
    'if (place <= text.length &&': 'a place beyond the end is never the end',
    'at <= content.length; at += 1': 'a range of nothing holds no character',
  },
};
