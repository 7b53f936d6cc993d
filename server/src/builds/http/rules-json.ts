import type { BuildResult } from '../../core/builds/build.ts';
import type { GroupResult } from '../../core/builds/group-result.ts';
import type { BrokenFile, JudgedRules } from '../../core/builds/judged-rules.ts';
import { changeOf } from '../../core/coverage/percent.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import { partVerdictJson } from './check-json.ts';
import { countsJson, percentJson, ratioJson } from './percentages.ts';

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
