import { describe, expect, test } from 'vitest';
import {
  announcing,
  comments,
  contexts,
  noStatuses,
  ofFlag,
  own,
  statuses,
  TARGET,
} from '../../../test/support/plan-scene.ts';
import { aBuild, aFlag, aResult } from '../../../test/support/records.ts';
import { STATUS_NAME_SETS } from '../core/announce/contexts.ts';
import type { OpenedContext } from '../core/builds/build.ts';
import { type Announcing, planClose, planOpening } from './plan.ts';

describe('the changed lines', () => {
  const asked: Announcing = { ...announcing, repo: { ...announcing.repo, patchStatus: true } };
  const ofPatch: OpenedContext = { context: 'coverage/patch', flag: undefined, patch: true };
  const build = aBuild({ target: TARGET });

  test('have a context where the repo asks for it, opened with the others and ended at each close', () => {
    const opening = planOpening(build, ['ui'], asked);
    expect(opening.openedContexts).toEqual([own, ofPatch, ofFlag('ui')]);
    expect(statuses(opening.messages)[1]).toBe('pending coverage/patch: Waiting for jobs');
    const close = planClose(
      { ...build, openedContexts: opening.openedContexts },
      aResult({ flags: [aFlag('ui')] }),
      asked,
    );
    expect(statuses(close.messages)).toEqual([
      'success coverage: 80.00%: no earlier build to compare with',
      'success coverage/patch: the change is not known: no diff of it could be had',
      'success coverage (ui): 80.00%: no earlier report of this flag to compare with',
    ]);
    expect(close.openedContexts).toEqual(opening.openedContexts);
  });

  test('end under their text when the repo asks for it no more', () => {
    const { messages } = planClose({ ...build, openedContexts: [own, ofPatch] }, aResult(), announcing);
    expect(contexts(messages)).toEqual(['coverage', 'coverage/patch']);
  });
});

describe('status names', () => {
  const build = aBuild({ target: TARGET, pullRequest: 7 });
  const coveralls: Announcing = {
    ...announcing,
    repo: { ...announcing.repo, patchStatus: true },
    names: STATUS_NAME_SETS.coveralls,
  };
  const result = aResult({ flags: [aFlag('ui')] });

  test('of the repo name its contexts', () => {
    expect(contexts(planClose(build, result, coveralls).messages)).toEqual([
      'coverage/coveralls',
      'coverage/coveralls/patch',
      'Coveralls - ui',
    ]);
  });

  test('after a rename an open pull request has every context under both names, pending and final', () => {
    const renamed: Announcing = { ...coveralls, formerNames: [announcing.names] };
    const both = [
      'coverage/coveralls',
      'coverage',
      'coverage/coveralls/patch',
      'coverage/patch',
      'Coveralls - ui',
      'coverage (ui)',
    ];
    expect(contexts(planOpening(build, ['ui'], renamed).messages)).toEqual(both);
    const final = statuses(planClose(build, result, renamed).messages);
    expect(final).toHaveLength(6);
    expect(final.filter((text) => text.includes('no earlier report of this flag'))).toHaveLength(2);
  });

  test('a build that was opened before the rename ends what it opened, and gets the new names too', () => {
    const opened = [own, ofFlag('ui', 'coverage (UI)')];
    const plan = planClose({ ...build, openedContexts: opened }, result, {
      ...coveralls,
      formerNames: [announcing.names],
    });
    expect(contexts(plan.messages)).toEqual(
      expect.arrayContaining(['coverage', 'coverage/coveralls', 'coverage (UI)', 'Coveralls - ui']),
    );
    expect(contexts(plan.messages)).toHaveLength(6);
  });

  test('of two places that come to the same text the build speaks', () => {
    const names = { build: 'cov/ui', flag: 'cov/<flag>', patch: 'cov/patch' };
    const { messages } = planClose(build, result, { ...announcing, names });
    expect(statuses(messages)).toEqual(['success cov/ui: 80.00%: no earlier build to compare with']);
  });
});

describe('a merge queue’s build', () => {
  const queued = aBuild({ target: TARGET, pullRequest: 7, mergeQueue: true });
  const inherited = [
    own,
    ofFlag('e2e'),
    ofFlag('ui', 'old ui'),
    { context: 'coverage/patch', flag: undefined, patch: true as const },
  ];

  test('has every context of its pull request, under its text, pending and final', () => {
    const asked: Announcing = { ...announcing, inherited };
    const opening = planOpening(queued, ['ui'], asked);
    expect(contexts(opening.messages)).toEqual(['coverage', 'coverage (e2e)', 'old ui', 'coverage/patch']);
    expect(opening.openedContexts).toEqual(inherited);
    expect(statuses(planClose(queued, aResult({ flags: [aFlag('ui')] }), asked).messages).toSorted()).toEqual([
      'success coverage (e2e): Not part of this build',
      'success coverage/patch: the change is not known: no diff of it could be had',
      'success coverage: 80.00%: no earlier build to compare with',
      'success old ui: 80.00%: no earlier report of this flag to compare with',
    ]);
  });

  test('opens none with statuses switched off', () => {
    const off = { ...noStatuses, inherited };
    expect(planClose(queued, aResult(), off)).toEqual({ messages: [], openedContexts: [] });
    expect(planOpening(queued, [], off)).toEqual({ messages: [], openedContexts: [] });
  });
});

describe('a provisional verdict', () => {
  const build = aBuild({ target: TARGET, pullRequest: 7, openedContexts: [own, ofFlag('ui')] });
  const result = aResult({ provisionalSince: 5, flags: [aFlag('ui'), aFlag('new')] });

  test('is held back: what was opened waits on, nothing is opened, no comment is made', () => {
    const plan = planClose(build, result, { ...announcing, holdBack: true });
    const waits = "Waiting for the provider's answer about the base";
    expect(statuses(plan.messages)).toEqual([`pending coverage: ${waits}`, `pending coverage (ui): ${waits}`]);
    expect(plan.messages).toHaveLength(2);
    expect(plan.openedContexts).toEqual(build.openedContexts);
  });

  test('of a build that closed before says nothing: it is final already, or waits', () => {
    const plan = planClose({ ...build, result: aResult() }, result, { ...announcing, holdBack: true });
    expect(plan).toEqual({ messages: [], openedContexts: build.openedContexts });
  });

  test.each([
    ['no longer held back', result, false, / \(provisional\)$/],
    ['answered meanwhile', aResult(), true, /earlier build to compare with$/],
  ])('%s: final', (_, one, holdBack, expected) => {
    const plan = planClose(build, one, { ...announcing, holdBack });
    expect(statuses(plan.messages)[0]).toMatch(expected);
    expect(comments(plan.messages)).toHaveLength(1);
  });
});
