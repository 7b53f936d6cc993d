import type { ComponentChildren, VNode } from 'preact';
import { isAccepted } from '../../../core/builds/acceptance.ts';
import { type BuildCheck, checksOf, overallOf } from '../../../core/builds/build-checks.ts';
import type { BuildView } from '../../../core/builds/build-summary.ts';
import type { GroupResult } from '../../../core/builds/group-result.ts';
import { printable } from '../../../core/printable.ts';
import { isRequired, type Overall, sizeOf, sortChecks, standingOf } from '../../../core/verdict/checks.ts';
import { Icon } from '../../../platform/web/icons.tsx';
import { Cell, type Column, listTable, Row } from '../../../platform/web/list-table.tsx';
import { grouped, PartPager } from '../../../platform/web/page-parts.tsx';
import { mapRows, type Part } from '../../../platform/web/render-parts.tsx';
import { checkName, checkRule, countKinds, kindWord, type Phrase } from '../../../wording/check-words.ts';
import { flagRemark, lookOf, wordOf } from '../../../wording/page-verdict.ts';
import { counted } from '../../../wording/phrases.ts';
import { checkRemedy } from '../../../wording/remedies.ts';
import type { ShownBuild } from '../../show-build.ts';
import { type BuildPlace, placeOfCheck } from './build-place.ts';
import { CarriedTag } from './flags-and-jobs.tsx';
import { ChangeCell, counts, percentText } from './shown-numbers.tsx';

type Result = NonNullable<BuildView['result']>;

export interface ChecksOf {
  readonly build: BuildView;
  /** Failing ones first: all, or a page of them. */
  readonly flags: ShownBuild['flags'];
  /** The page of jobs that is shown beside them; links to other pages of flags keep it. */
  readonly jobsPage?: number;
  readonly place: BuildPlace;
  /** The id of the check whose lines are shown. */
  readonly selected?: string | undefined;
}

const LONGEST_NAME = 300;

const COLUMNS: readonly Column[] = [
  { name: 'Check', kind: 'grow' },
  { name: 'Coverage', kind: 'num' },
  { name: 'Change, points', kind: 'num' },
  { name: 'Rule' },
  { name: 'To pass' },
];

/**
 * The checks of a build, in the box of its verdict: those that do not pass, the total and the changed lines, then the
 * rest, folded. Nothing if the total is the only one.
 */
export function* checkParts(shown: ChecksOf, result: Result): Generator<Part> {
  const { build, flags, place, jobsPage = 1 } = shown;
  const overall = overallOf(result);
  const checks = sortChecks(checksOf({ ...result, flags: flags.entries }));
  if (checks.length < 2 && flags.total === 0) return;
  const isOpen = (check: BuildCheck): boolean =>
    ['total', 'changes'].includes(check.kind) || standingOf(check) !== 'passing' || isAccepted(check.verdict);
  const allPass = sizeOf(overall.failing) + sizeOf(overall.wouldFail) === 0 && overall.accepted !== true;
  const [open, folded] = allPass ? [[], checks] : [checks.filter(isOpen), checks.filter((one) => !isOpen(one))];
  const link = (page: number) => place.links.build(build.id, { flags: page, jobs: jobsPage, at: 'checks' });
  yield { tags: '<div class="checks" id="checks"><h2 class="sr">Checks</h2>' };
  if (open.length > 0) yield* checkTable('Checks', open, shown, result);
  if (folded.length > 0) {
    yield { tags: '<details class="fold-more">' };
    yield <FoldedSummary overall={overall} all={allPass} open={open} />;
    yield* checkTable('Checks that pass', folded, shown, result);
    yield { tags: '</details>' };
  }
  yield <PartPager what="Failing checks come first. Flags" part={flags} link={link} />;
  yield <WithoutRule groups={result.groups ?? []} place={place} />;
  yield { tags: '</div>' };
}

/** Why some groups are not among the checks. */
function WithoutRule(props: { readonly groups: readonly GroupResult[]; readonly place: BuildPlace }): VNode | null {
  const { groups, place } = props;
  const count = groups.filter(({ verdict }) => verdict === undefined).length;
  if (count === 0) return null;
  return (
    <p class="file-foot quiet small">
      {count === 1
        ? '1 group has no rule, so it isn’t a check'
        : `${grouped(count)} groups have no rule, so they aren’t checks`}
      . <a href={place.links.ofRepo(place.repo, 'groups')}>See all {counted(groups.length, 'group')}</a>
    </p>
  );
}

/** `7 more pass`, by their kinds. */
function FoldedSummary(props: {
  readonly overall: Overall;
  readonly all: boolean;
  readonly open: readonly BuildCheck[];
}): VNode {
  const { overall, all, open } = props;
  const beside = open.filter((check) => standingOf(check) === 'passing');
  const left = Object.entries(overall.passing.counts).map(([kind, count]) => {
    return [kind, count - beside.filter((check) => check.kind === kind).length] as const;
  });
  const rest = { counts: Object.fromEntries(left.filter(([, count]) => count > 0)) };
  const size = sizeOf(rest);
  return (
    <summary>
      <Icon name="ok" />{' '}
      <span>
        {all ? `All ${grouped(size)} checks pass` : `${grouped(size)} more ${size === 1 ? 'passes' : 'pass'}`}
      </span>{' '}
      <span class="quiet">{countKinds(rest)}</span>
    </summary>
  );
}

function checkTable(label: string, checks: readonly BuildCheck[], shown: ChecksOf, result: Result): Generator<Part> {
  const rows = mapRows(checks, (check) => <CheckRow check={check} shown={shown} result={result} />);
  return listTable({ label, columns: COLUMNS, rows, class: 'checklist' });
}

const ROWS: Readonly<Record<ReturnType<typeof lookOf>, string | undefined>> = {
  ok: undefined,
  fail: 'is-fail',
  would: 'is-would',
  incomplete: 'is-fail',
};

function CheckRow(props: { readonly check: BuildCheck; readonly shown: ChecksOf; readonly result: Result }): VNode {
  const { check, shown, result } = props;
  const { id, kind, verdict, totals, baseTotals } = check;
  const look = lookOf(verdict);
  const isSelected = id === shown.selected;
  const href = placeOfCheck(shown.place, id);
  const remark = remarkOf(check);
  return (
    <Row class={[ROWS[look], isSelected && 'on'].filter(Boolean).join(' ')}>
      <Cell class="main">
        <Icon name={look} label={`${wordOf(verdict)}:`} />{' '}
        <a href={href} {...(isSelected && { 'aria-current': 'true' as const })}>
          <Words phrase={[checkName(check, LONGEST_NAME)]} />
        </a>{' '}
        <span class="kind">{kind === 'changes' ? totals && counts(totals) : kindWord(check)}</span>{' '}
        <CheckTags check={check} shown={shown} result={result} />
        {remark !== undefined && <span class="sub remark">{printable(remark, 1_000)}</span>}
      </Cell>
      <Cell class="num lead">{percentText(totals)}</Cell>
      {kind === 'changes' || verdict.state === 'incomplete' ? (
        <Cell class="num" />
      ) : (
        <ChangeCell totals={totals} baseTotals={baseTotals} verdict={verdict} />
      )}
      <Cell class="rule wide">{checkRule(check)}</Cell>
      <Cell class="do wide">
        <ToPass check={check} href={href} result={result} />
      </Cell>
    </Row>
  );
}

function CheckTags({ check, shown, result }: Parameters<typeof CheckRow>[0]): VNode {
  const { verdict, flag } = check;
  const isInformational = verdict.informational === true && !isRequired(check) && standingOf(check) !== 'passing';
  return (
    <>
      {isInformational && <span class="tag">informational</span>}{' '}
      {isAccepted(verdict) && <span class="tag">accepted by {printable(result.acceptance?.by ?? '', 60)}</span>}{' '}
      {flag?.carried && <CarriedTag carried={flag.carried} links={shown.place.links} now={shown.place.now} />}
    </>
  );
}

/** What its columns do not say: which build it is compared with, or why it passes although it fell. */
function remarkOf({ flag, verdict }: BuildCheck): string | undefined {
  if (flag === undefined) return undefined;
  const isPlain =
    flag.looksPastBase !== true && !('forgiven' in verdict && verdict.forgiven) && flag.kind !== 'missing';
  return isPlain ? undefined : flagRemark({ ...flag, cause: undefined });
}

function ToPass(props: {
  readonly check: BuildCheck;
  readonly href: string;
  readonly result: Result;
}): VNode | string | null {
  const { check, href, result } = props;
  if (standingOf(check) === 'passing') return null;
  if (check.flag?.kind === 'missing') return 'Re-run its job';
  const words = checkRemedy(check, result);
  return words === undefined ? null : <a href={href}>{words.short}</a>;
}

/** A phrase with its names as code. */
export function Words({ phrase }: { readonly phrase: Phrase }): VNode {
  const parts: readonly ComponentChildren[] = phrase.map((part) =>
    typeof part === 'string' ? part : <code>{part.code}</code>,
  );
  return <>{parts}</>;
}
