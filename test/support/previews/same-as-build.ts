import { expect } from 'vitest';
import type { PreviewedPull } from './generated-pull.ts';

/** The same verdict, sentence and numbers, whatever name each document gives them. */
export function expectSame({ preview, build, statuses }: PreviewedPull): void {
  const { sentence, passes, base, remedies: _, files: __, file_count: ___, ...said } = preview;
  const { warnings, wanted_diffs, statuses: named, ...numbers } = said;
  expect(Object.fromEntries(named.map((one) => [one.context, `${one.state}: ${one.description}`]))).toEqual(statuses);
  expect(statuses.coverage?.replace(/^\w+: /, '')).toBe(sentence);
  expect(base && { build: base.build, commit_sha: base.commit_sha, rule: base.rule, away: base.commits_away }).toEqual(
    build.base && {
      build: build.base.build,
      commit_sha: build.base.commit_sha,
      rule: build.base.rule,
      away: build.base.commits_away,
    },
  );
  expect(build).toMatchObject(numbers);
  expect(passes).toBe(Object.values(statuses).every((one) => one.startsWith('success: ')));
  expect(warnings).toEqual(build.warnings.map((one) => one.replace(/^Job \S+: /, '')));
  expect(wanted_diffs).toEqual([]);
}
