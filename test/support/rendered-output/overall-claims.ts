import type { BuildJson, CheckJson } from '@coverage/shared';
import { type Claim, readPage, readTable, type Told } from './told.ts';

/** How the page, the tab and the comment show each state. */
const LOOKS = { success: 'is-ok', failure: 'is-fail', incomplete: 'is-part', error: 'is-fail', would: 'is-part' };
const TABS = { success: '✓', failure: '✗', incomplete: '!', error: '✗', would: '◇' };
const SIGNS = { success: '✅', failure: '❌', incomplete: '⚠️', error: '⛔', would: '⚠️' };

/** The states of a status, from the worst. */
const POSTED = ['error', 'failure', 'success'];

type Overall = NonNullable<BuildJson['overall']>;

/**
 * That statuses, page, tab, comment and JSON say one overall state and name the same failing checks. What fails by the
 * JSON is worked out here from its parts, by rules.md alone.
 */
export function overallClaims(told: Told): readonly Claim[] {
  const { json, page, comment } = told;
  const overall = json.overall as Overall;
  const claim = (where: string, what: string, said: string, known: string): Claim => ({ where, what, said, known });
  const state = overall.state as Exclude<Overall['state'], 'pending'>;
  const shown = state === 'success' && overall.would_fail_count > 0 ? 'would' : state;
  const expected = expectedOf(json);
  return [
    claim('JSON', 'overall state', state, expected.state),
    claim('JSON', 'failing checks', overall.failing.toSorted().join(), expected.failing.join()),
    claim('JSON', 'checks that would fail', overall.would_fail.toSorted().join(), expected.wouldFail.join()),
    claim('look of the page', 'state', /<section class="composite ?([\w-]*)"/.exec(page)?.[1] ?? 'none', LOOKS[shown]),
    claim('tab', 'state', /<title>(\S+) /.exec(page)?.[1] ?? '', TABS[shown]),
    claim(
      'page',
      'failing checks',
      namedOnPage(page).join(),
      [...expected.failing, ...expected.wouldFail].toSorted().join(),
    ),
    ...nameClaims(told, expected),
    ...statusClaims(told, expected),
    ...listClaims(told, expected),
    // There is none of a success without a percentage (rule 25).
    ...(comment === '' ? [] : [claim('comment', 'state', /^### (\S+) /m.exec(comment)?.[1] ?? '', SIGNS[shown])]),
    ...(comment === '' ? [] : [claim('comment', 'failing checks', inComment(comment, json).join(), tabled(expected))]),
  ];
}

export const NAMES = 'names of failing groups';

/** Where a sentence names failing groups it has their names: nobody knows them by their ids. */
function nameClaims({ json, comment }: Told, { state, failing }: Expected): readonly Claim[] {
  const named = (json.groups ?? []).filter(({ id, name }) => failing.includes(`group:${id}`) && /^[\w ]+$/.test(name));
  const isCounted = (most: number): boolean => state !== 'failure' || failing.length > most;
  const claim = (where: string, text: string): Claim => ({
    ...{ where, what: NAMES },
    said: namesOf(named.filter(({ name }) => text.includes(name))),
    known: namesOf(named),
  });
  // Beside the total a heading names three more.
  const most = failing.includes('total') ? 4 : 3;
  return [
    ...(isCounted(3) ? [] : [claim('JSON', json.overall?.sentence ?? '')]),
    ...(isCounted(most) || comment === '' ? [] : [claim('comment', comment.split('\n').find(isHeading) ?? '')]),
  ];
}

const namesOf = (groups: readonly { readonly name: string }[]): string => groups.map(({ name }) => name).join();
const isHeading = (line: string): boolean => line.startsWith('### ');

interface Expected {
  readonly state: string;
  readonly failing: readonly string[];
  readonly wouldFail: readonly string[];
}

function expectedOf({ checks = [] }: BuildJson): Expected {
  const short = checks.filter((check) => check.state !== 'success' && !check.accepted);
  const decides = (check: CheckJson): boolean =>
    !check.informational && !['carried', 'not-reported'].includes(check.rule);
  const failing = short.filter(decides);
  const worst = ['error', 'failure', 'incomplete'].find((state) => failing.some((check) => check.state === state));
  const idsOf = (some: readonly CheckJson[]) => some.map(({ id }) => id).toSorted();
  return {
    state: worst ?? 'success',
    failing: idsOf(failing),
    wouldFail: idsOf(short.filter((check) => !decides(check))),
  };
}

/** The rows of the page whose icons say that they fall short; of a build with one check its band says it. */
function namedOnPage(page: string): readonly string[] {
  if (!page.includes('aria-label="Checks')) {
    const look = /<p class="says (\w+)">/.exec(page)?.[1];
    return look === 'ok' ? [] : ['total'];
  }
  const [, table = ''] = page.split('aria-label="Checks"');
  const rows = [...(table.split('</table>')[0] ?? '').matchAll(/<tr role="row"[^>]*>(.*?)<\/tr>/gs)];
  return rows
    .flatMap(([, row = '']) => {
      const label = /aria-label="([\w ]+):"/.exec(row)?.[1] ?? '';
      const check = /\?check=([^#"]*)#/.exec(row)?.[1];
      return check === undefined || /^(?:Passed|Accepted|Not reported)$/.test(label) ? [] : [decodeURIComponent(check)];
    })
    .toSorted();
}

/** The worst of all statuses is the overall state, where each check has one; each names its own. */
function statusClaims(
  { json, statuses, sumsUp, groupContexts = {} }: Told,
  { state, failing }: Expected,
): readonly Claim[] {
  const states = Object.entries(statuses).filter(([context]) => context !== 'check run');
  if (states.length === 0 || state === 'error') return [];
  const posted = (context: string): string => statuses[context]?.split(':')[0] ?? '';
  const red = states.filter(([context]) => posted(context) !== 'success').map(([context]) => context);
  const contextOf = (id: string): string =>
    contextsOf(id, groupContexts).find((context) => context in statuses) ?? 'no status';
  const named = failing.map(contextOf);
  const isRed = sumsUp === true && failing.length > 0 && 'coverage' in statuses;
  const known = [...new Set([...named.filter((one) => !sumsUp || one !== 'coverage'), ...(isRed ? ['coverage'] : [])])];
  const worst = POSTED.find((one) => states.some(([context]) => posted(context) === one)) ?? 'success';
  const all = failing.every((id) => contextOf(id) in statuses);
  const ofOwn = failing.filter((id) => contextOf(id) === 'coverage');
  const statesOf = (json.checks ?? []).filter(({ id }) => ofOwn.includes(id)).map((check) => check.state);
  const ofTotal = statesOf.includes('failure') ? 'failure' : (statesOf[0] ?? 'success');
  const expected = sumsUp ? state : ofTotal;
  return [
    { where: 'status', what: 'failing checks', said: red.toSorted().join(), known: known.toSorted().join() },
    ...(all && state === 'success'
      ? [{ where: 'status', what: 'worst state', said: worst, known: 'success' }]
      : [{ where: 'status', what: 'worst state', said: String(worst !== 'success'), known: String(known.length > 0) }]),
    ...('coverage' in statuses
      ? [
          {
            where: 'status',
            what: 'state',
            said: posted('coverage'),
            known: expected === 'incomplete' ? 'error' : (expected ?? ''),
          },
        ]
      : []),
  ];
}

/** A list shows the same state, and how many checks fail where that is not the total alone. */
function listClaims({ list, json }: Told, { state, failing, wouldFail }: Expected): readonly Claim[] {
  if (list === undefined) return [];
  const short = state === 'success' ? wouldFail : failing;
  const words: Record<string, string> = {
    success: 'Passed',
    failure: 'Failed',
    incomplete: 'Incomplete',
    error: 'Error',
  };
  const accepted = json.overall?.accepted === true && state === 'success' ? 'Accepted' : words[state];
  const word = state === 'success' && wouldFail.length > 0 ? 'Would fail' : accepted;
  const isTagged = state !== 'incomplete' && short.some((id) => id !== 'total');
  const flags = short.filter((id) => id.startsWith('flag:')).length;
  const tag = /<span class="tag (?:bad|warn)">([^<]* fails?)</.exec(list)?.[1];
  return [
    { where: 'list', what: 'state', said: /aria-label="([\w ]+):"/.exec(list)?.[1] ?? '', known: word ?? '' },
    {
      where: 'list',
      what: 'failing flags',
      said: /(\d+) flag/.exec(tag ?? '')?.[1] ?? '0',
      known: isTagged ? String(flags) : '0',
    },
    {
      where: 'list',
      what: 'other failing checks',
      said: String(/total|changed lines|group|outside/.test(tag ?? '')),
      known: String(isTagged && short.length > flags),
    },
  ];
}

/** What has no status of its own fails that of the build. */
function contextsOf(id: string, groups: NonNullable<Told['groupContexts']>): readonly string[] {
  if (id === 'changes') return ['coverage/patch'];
  if (id.startsWith('flag:')) return [`coverage (${id.slice('flag:'.length)})`];
  return groups[id] === undefined ? ['coverage'] : groups[id].toReversed();
}

/** The rows of the table of checks that is not folded. */
function inComment(comment: string, { checks = [] }: BuildJson): readonly string[] {
  const [shown = ''] = comment.split('<details>');
  const rows = shown.split('\n').filter((line) => /^\|(?:❌|⚠️|⛔) \[/.test(line));
  const ids = rows.map((row) => decodeURIComponent(/\?check=([^)#]*)\)/.exec(row)?.[1] ?? row));
  return ids.filter((id) => checks.some((check) => check.id === id)).toSorted();
}

/** Where the total alone falls short, its numbers are in the heading, and there is no table. */
function tabled({ failing, wouldFail }: Expected): string {
  const all = [...failing, ...wouldFail].toSorted();
  return all.every((id) => id === 'total') ? '' : all.join();
}

/** The rows of both tables of the page, by the ids of their checks. */
export function checkRows(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = ['Checks', 'Checks that pass'].flatMap((label) => {
    const [, body = ''] = page.split(`aria-label="${label}"`)[1]?.split('</table>')[0]?.split('</thead>') ?? [];
    const ids = [...body.matchAll(/\?check=([^#"]*)#(?:cover|elsewhere)"/g)].map(([, id = '']) =>
      decodeURIComponent(id),
    );
    return readTable(page, label).map((cells, index) => [[...new Set(ids)][index] ?? '', cells] as const);
  });
  return new Map(rows.map(([id, cells]) => [id, cells.map((cell) => readPage(cell))]));
}
