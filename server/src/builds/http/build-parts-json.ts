import type { Build, BuildResult } from '../../core/builds/build.ts';
import { checksOf, type Judged, overallOf } from '../../core/builds/build-checks.ts';
import type { BuildSummary } from '../../core/builds/build-summary.ts';
import type { GroupResult } from '../../core/builds/group-result.ts';
import type { BrokenFile, JudgedRules } from '../../core/builds/judged-rules.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import { type Check, type CheckList, isRequired, remedyOf, sizeOf, sortChecks } from '../../core/verdict/checks.ts';
import type { FlagVerdict } from '../../core/verdict/verdict.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';
import { refOf } from '../../wording/build-name.ts';
import { describeAttempt } from '../../wording/build-warnings.ts';
import { overallPhrase, phraseText, WAITING } from '../../wording/check-words.ts';
import { checkRemedy } from '../../wording/remedies.ts';
import { explainVerdict } from '../../wording/verdict-words.ts';
import type { SetAsideBuild } from '../list-set-aside.ts';
import { countsJson, percentJson, ratioJson } from './percentages.ts';

/** `checks` of a build and of a preview. */
export function checksJson(result: Judged): readonly Answer<'check'>[] {
  return sortChecks(checksOf(result)).map((check) => checkJson(check, result));
}

function checkJson(check: Check, result: Pick<Judged, 'patch'>): Answer<'check'> {
  const { id, kind, name = null, verdict, totals, baseTotals, cause } = check;
  return {
    id,
    kind,
    name,
    ...partVerdictJson(verdict, cause),
    required: isRequired(check),
    covered_percent: percentJson(totals),
    // Rule 13: never a drop where something did not report.
    coverage_change: verdict.state === 'incomplete' ? null : ratioJson(changeOf(totals, baseTotals)),
    remedy: remedyJson(check, result),
  };
}

function remedyJson(check: Check, result: Pick<Judged, 'patch'>): Answer<'check'>['remedy'] {
  const remedy = remedyOf(check);
  const words = checkRemedy(check, result);
  return remedy && words ? { count: remedy.count, unit: remedy.of, sentence: words.what + words.rest } : null;
}

/** The verdict on the total, on the changed lines or on a flag. */
export function partVerdictJson(verdict: FlagVerdict, cause?: Check['cause']): Answer<'partVerdict'> {
  const { state, rule, informational, accepted } = verdict;
  return {
    state,
    rule,
    explanation: explainVerdict(verdict, cause),
    ...(informational === true ? { informational } : {}),
    ...(accepted === true ? { accepted } : {}),
  };
}

const NONE: CheckList = { ids: [], counts: {} };

/** `overall` of a build, which is pending before its first close. */
export function overallJson({ result }: { readonly result: BuildSummary['result'] }): Answer<'overall'> {
  const { state, failing, wouldFail, passing, accepted } =
    result === undefined
      ? ({ state: 'pending', failing: NONE, wouldFail: NONE, passing: NONE, accepted: undefined } as const)
      : overallOf(result);
  const base = result?.base === undefined ? 'the base' : refOf(result.base);
  return {
    state,
    sentence: result === undefined ? WAITING : phraseText(overallPhrase(result, base)),
    failing: failing.ids,
    failing_count: sizeOf(failing),
    would_fail: wouldFail.ids,
    would_fail_count: sizeOf(wouldFail),
    passing_count: sizeOf(passing),
    ...(accepted && { accepted }),
  };
}

/** The groups of a build, its owners, and by which rules it was judged: null before its first close. */
export function rulesJson(
  result: Pick<BuildResult, 'groups' | 'owners' | 'rules'> | undefined,
): Pick<Answer<'build'>, 'groups' | 'owners' | 'rules'> {
  const { groups = [], owners = [], rules } = result ?? {};
  return {
    groups: groups.map(groupJson),
    owners: owners.map(({ owner, totals, baseTotals, files }) => ({
      owner: owner ?? null,
      covered_percent: percentJson(totals),
      coverage_change: ratioJson(changeOf(totals, baseTotals)),
      ...countsJson(totals),
      files,
    })),
    rules: rules ? judgedJson(rules) : null,
  };
}

function groupJson(group: GroupResult): Answer<'group'> {
  const { id, name, digest, totals, baseTotals, files, touched, changes, verdict, cause } = group;
  return {
    ...{ id, name, digest, files, touched },
    covered_percent: percentJson(totals),
    coverage_change: ratioJson(changeOf(totals, baseTotals)),
    ...countsJson(totals),
    changes_percent: percentJson(changes),
    verdict: verdict ? partVerdictJson(verdict, cause) : null,
  };
}

function judgedJson({ file, broken, proposal, values, ownersUnavailable }: JudgedRules): Answer<'judgedRules'> {
  return {
    file: file ? { path: file.path, commit_sha: file.commit ?? null, digest: file.digest } : null,
    broken: brokenJson(broken),
    proposal: proposal
      ? {
          path: proposal.path,
          commit_sha: proposal.commit,
          changes: proposal.changes.map(({ key, from, to }) => ({ key, from: from ?? null, to: to ?? null })),
          more: proposal.more,
          broken: brokenJson(proposal.broken),
          would: proposal.would ?? null,
        }
      : null,
    owners_available: ownersUnavailable !== true,
    values: values.map(({ key, value, from, line }) => ({ key, value, from, line: line ?? null })),
  };
}

function brokenJson(broken: BrokenFile | undefined): Answer<'judgedRules'>['broken'] {
  if (broken === undefined) return null;
  const { path, commit, problems, line, column, message } = broken;
  return { path, commit_sha: commit ?? null, problems, line, column: column ?? null, message };
}

/** When and why a build was set aside; no key where it was not. */
export function setAsideJson({ attempts }: Pick<Build, 'attempts'>): Pick<Answer<'build'>, 'set_aside'> {
  if (attempts?.setAside === undefined) return {};
  const at = new Date(attempts.at).toISOString();
  return { set_aside: { at, attempts: attempts.count, reason: describeAttempt(attempts) } };
}

/** `GET /api/v1/builds/set-aside` */
export function presentSetAside(found: readonly SetAsideBuild[], addresses: Addresses): Answer<'setAsideList'> {
  return {
    builds: found.map(({ build, repo }) => ({
      id: String(build.id),
      url: addresses.build(build.id),
      number: build.number,
      service: repo.service,
      repo_name: repo.name,
      ...(setAsideJson(build) as Required<ReturnType<typeof setAsideJson>>),
    })),
  };
}
