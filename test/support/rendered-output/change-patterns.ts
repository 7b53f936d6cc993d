/** How texts count the changed lines; the names of the groups are those of the JSON's numbers. */

const NUMBER = '\\d+\\.\\d+';
const LINES = '(?<covered>\\d+) of (?<lines>\\d+) lines?';
const BRANCHES = '(?<coveredBranches>\\d+) of (?<branches>\\d+) branch';
const GIVEN = `${LINES}(?:(?:,| and) ${BRANCHES})?`;
/** Wherever the changed lines are counted. */
export const OF_CHANGE = [
  new RegExp(`(?<percent>${NUMBER})% of the change covered(?: \\(${GIVEN})?`, 'g'),
  new RegExp(
    '(?<covered>\\d+) of (?<lines>\\d+) changed lines?(?: and (?<coveredBranches>\\d+) of (?<branches>\\d+) ' +
      'branch(?:es)?)? (?:is|are) covered',
    'g',
  ),
  /All (?<lines>\d+) changed lines?(?: and (?<branches>\d+) branch(?:es)?)? are covered/g,
  // Those of a flag are its own.
  /Cover (?:\d+ of the|all) (?<missed>\d+) missed changed lines?\b(?! and| in )/g,
  /Cover (?:\d+ of the|all) (?<missedCode>\d+) missed changed lines? and branches(?! in )/g,
  /Cover (?:\d+ of the|all) (?<missed>\d+) missed lines?\b(?! and| or)/g,
  new RegExp(`Changed lines (?<percent>${NUMBER})% ${GIVEN}`, 'g'),
  new RegExp(`Changed lines ${GIVEN} (?<percent>${NUMBER})%`, 'g'),
  new RegExp(`changed lines (?<percent>${NUMBER})%`, 'g'),
  new RegExp(`(?<percent>${NUMBER})% of the change covered ?: lines (?<covered>\\d+) of (?<lines>\\d+)`, 'g'),
  /(?<leftOut>\d+) changed lines?(?: of (?<files>\d+) files?)? not measured/g,
  /[Nn]one of the (?<leftOut>\d+) changed lines was measured/g,
];
/** In sentences about the build. */
export const OF_CAUSE = [
  /(?<missed>\d+) of (?<lines>\d+) changed lines? (?:is not|are not|missed)/g,
  /(?<missedBranches>\d+) of (?<branches>\d+) branch(?:es)? on changed lines/g,
];
/** For a build that fails by removed code: too rare among drawn histories to be expected in each run. */
export const OF_REMOVED_CODE = [
  /removed and (?<lines>\d+) relevant lines? added/g,
  /(?<none>no changed line is missed)/g,
];
