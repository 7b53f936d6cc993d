import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aJob, aResult } from '../../../test/support/records.ts';
import type { Delivery, DeliveryTarget } from '../core/announce/delivery.ts';
import { readWarnings } from './build-warnings.ts';

function aDelivery(target: DeliveryTarget, parked: string | undefined): Delivery {
  return {
    id: 1,
    repoId: 1,
    service: 'github',
    repoName: 'acme/app',
    target,
    statusOwner: { buildId: 71, sequence: 71, trust: 'secret', pullRequest: undefined },
    wanted: { version: 1, content: { kind: 'comment', body: '' } },
    delivered: undefined,
    commentId: undefined,
    uncertain: false,
    attempts: 0,
    nextAttemptAt: 0,
    parked,
    repoRemoved: false,
  };
}

describe('readWarnings', () => {
  const repo = { service: 'github' } as const;
  const nothing = {
    repo,
    build: aBuild({ branch: 'main' }),
    jobs: [],
    deliveries: [],
    supersededBy: undefined,
    rivals: [],
    repoWarnings: [],
  };

  test('nothing odd, nothing said', () => {
    const arriving = aDelivery({ kind: 'comment', pullRequest: 7 }, undefined);
    expect(readWarnings({ ...nothing, jobs: [aJob()], deliveries: [arriving] })).toEqual([]);
  });

  test('of its jobs’ disagreements, its close, its uploads, its successor, and what could not be delivered', () => {
    const result = aResult({ warnings: ['Nothing relevant.'] });
    const build = aClosedBuild({ branch: 'main', warnings: ['They disagree.'], result });
    const warnings = readWarnings({
      repo,
      build,
      jobs: [aJob({ number: 2, warnings: ['A count was negative.'] })],
      supersededBy: aBuild({ sequence: 72 }),
      rivals: [],
      repoWarnings: [],
      deliveries: [
        aDelivery({ kind: 'status', commit: 'c', context: 'coverage' }, 'no access.'),
        aDelivery({ kind: 'comment', pullRequest: 7 }, 'it is locked.'),
      ],
    });
    expect(warnings).toEqual([
      'They disagree.',
      'Nothing relevant.',
      'Job 71.2: A count was negative.',
      'Replaced by build 72, which reports for this commit.',
      'The commit status "coverage" could not be delivered: no access.',
      'The pull request comment could not be delivered: it is locked.',
    ]);
  });

  test('rule 24: other numbers of the same commit and event', () => {
    const [warning, ...others] = readWarnings({
      ...nothing,
      rivals: [aBuild({ sequence: 72 }), aBuild({ sequence: 73 })],
    });
    expect(warning).toMatch(/this commit too: 72, 73\./);
    expect(others).toEqual([]);
    const many = Array.from({ length: 9 }, (_, index) => aBuild({ sequence: 80 + index }));
    expect(readWarnings({ ...nothing, rivals: many })[0]).toMatch(/: 80, 81, 82, 83, 84 and 4 more\./);
  });

  test('a thousand odd uploads are not a thousand warnings', () => {
    const jobs = Array.from({ length: 1_000 }, (_, index) => aJob({ number: index + 1, warnings: ['Odd.'] }));
    expect(readWarnings({ ...nothing, jobs })).toHaveLength(20);
  });

  test('what a build has noted of its jobs counts, whichever of them are shown', () => {
    const build = aBuild({ branch: 'main', jobWarnings: [{ job: 4_000, sentence: 'Odd.' }] });
    expect(readWarnings({ ...nothing, build, jobs: [aJob({ warnings: ['Odd.'] })] })).toEqual(['Job 71.4000: Odd.']);
  });

  test('a thousand announcements that were given up are a hundred warnings', () => {
    const deliveries = Array.from({ length: 101 }, (_, number) =>
      aDelivery({ kind: 'status', commit: 'c', context: `coverage (${number})` }, 'no access.'),
    );
    const warnings = readWarnings({ ...nothing, deliveries });
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toContain('More deliveries failed');
  });
});
