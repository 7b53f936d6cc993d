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
import { aBuild, aClosedBuild, aFlag, aResult, totals } from '../../../test/support/records.ts';
import type { Message } from '../core/announce/delivery.ts';
import { toStatusOwner, wantDelivery } from '../core/announce/status-owner.ts';
import type { Build, BuildResult, OpenedContext } from '../core/builds/build.ts';
import type { FlagVerdict } from '../core/verdict/verdict.ts';
import { type Announcing, planClose, planOpening } from './plan.ts';

describe('planOpening', () => {
  const build = aBuild({ target: TARGET });

  test('rule 23: pending for the build and for the flags of its base, each with the build’s page', () => {
    const { messages, openedContexts } = planOpening(build, ['api', 'ui'], announcing);
    expect(statuses(messages)).toEqual([
      'pending coverage: Waiting for jobs',
      'pending coverage (api): Waiting for flag `api`',
      'pending coverage (ui): Waiting for flag `ui`',
    ]);
    expect(messages[0]).toEqual({
      target: { kind: 'status', commit: TARGET, context: 'coverage' },
      content: {
        kind: 'status',
        state: 'pending',
        description: 'Waiting for jobs',
        targetUrl: 'https://ci.example/builds/71',
      },
    });
    expect(openedContexts).toEqual([own, ofFlag('api'), ofFlag('ui')]);
  });

  test('rule 22: flags equal but for case share one context', () => {
    const { messages, openedContexts } = planOpening(build, ['UI', 'ui', 'Ui'], announcing);
    expect(contexts(messages)).toEqual(['coverage', 'coverage (UI)']);
    expect(openedContexts).toEqual([own, ofFlag('UI')]);
  });

  test('rule 12: at a higher attempt every context of the build is pending again', () => {
    const opened = [own, ofFlag('docs')];
    const { messages, openedContexts } = planOpening({ ...build, openedContexts: opened }, ['ui'], announcing);
    expect(contexts(messages).toSorted()).toEqual(['coverage', 'coverage (docs)', 'coverage (ui)']);
    expect(openedContexts).toEqual([own, ofFlag('docs'), ofFlag('ui')]);
  });

  test('rule 22: an opened context keeps its text when the setting changes', () => {
    const opened = [{ context: 'old', flag: undefined }, ofFlag('ui', 'old (ui)')];
    const { messages, openedContexts } = planOpening({ ...build, openedContexts: opened }, ['UI'], announcing);
    expect(contexts(messages)).toEqual(['old', 'old (ui)']);
    expect(openedContexts).toEqual(opened);
  });

  test.each<[string, Build, Announcing]>([
    ['statuses are switched off', build, noStatuses],
    ['the provider has no adapter here', build, { ...announcing, hasProvider: false }],
    ['no commit is known', aBuild({ target: undefined }), announcing],
  ])('nothing is opened when %s', (_, one, settings) => {
    const opened = [ofFlag('ui')];
    expect(planOpening({ ...one, openedContexts: opened }, ['api'], settings)).toEqual({
      messages: [],
      openedContexts: opened,
    });
  });
});

describe('planClose: statuses', () => {
  const build = aBuild({ target: TARGET });
  const failing: FlagVerdict = { state: 'failure', rule: 'no-decrease', explanation: '', summary: '10.00%, down' };
  const close = (result: Partial<BuildResult>, opened: readonly OpenedContext[] = [], settings = announcing) =>
    planClose({ ...build, openedContexts: opened }, aResult(result), settings);

  test('one final state for the build and for each of its flags', () => {
    const { messages, openedContexts } = close({ flags: [aFlag('api'), aFlag('ui', { verdict: failing })] });
    expect(statuses(messages)).toEqual([
      'success coverage: 80.00%: no earlier build to compare with',
      'success coverage (api): 80.00%: no earlier report of this flag to compare with',
      'failure coverage (ui): 10.00%, down',
    ]);
    expect(messages.every(({ target }) => target.kind === 'status' && target.commit === TARGET)).toBe(true);
    expect(openedContexts).toEqual([own, ofFlag('api'), ofFlag('ui')]);
  });

  test('rule 23: what was opened and has nothing to say ends too', () => {
    const { messages, openedContexts } = close({ flags: [aFlag('api')] }, [own, ofFlag('ui')]);
    expect(statuses(messages)).toContain('success coverage (ui): Not part of this build');
    expect(openedContexts).toEqual([own, ofFlag('api'), ofFlag('ui')]);
  });

  test.each([
    ['the first fails', [aFlag('UI', { verdict: failing }), aFlag('ui')]],
    ['the second fails', [aFlag('UI'), aFlag('ui', { verdict: failing })]],
  ])('rule 22: of flags equal but for case the one that fails speaks: %s', (_, flags) => {
    const { messages } = close({ flags });
    expect(statuses(messages).slice(1)).toEqual(['failure coverage (UI): 10.00%, down']);
  });

  test('of flags whose names a context shows alike the one that fails speaks too', () => {
    const name = (ending: string): string => `${'x'.repeat(120)}${ending}`;
    const { messages } = close({ flags: [aFlag(name('1')), aFlag(name('2'), { verdict: failing })] });
    expect(statuses(messages).slice(1)).toEqual([`failure coverage (${'x'.repeat(99)}…): 10.00%, down`]);
  });

  test('rule 22: a context ends under the text it was opened with', () => {
    const opened = [{ context: 'old', flag: undefined }, ofFlag('ui', 'old (ui)')];
    const { messages, openedContexts } = close({ flags: [aFlag('UI'), aFlag('new')] }, opened);
    expect(contexts(messages)).toEqual(['old', 'old (ui)', 'coverage (new)']);
    expect(openedContexts).toEqual([...opened, ofFlag('new')]);
  });

  test('rule 23: with statuses switched off what was opened ends, and nothing is opened', () => {
    const { messages, openedContexts } = close({ flags: [aFlag('api'), aFlag('ui')] }, [own, ofFlag('ui')], noStatuses);
    expect(contexts(messages)).toEqual(['coverage', 'coverage (ui)']);
    expect(openedContexts).toEqual([own, ofFlag('ui')]);
    expect(close({}, [], noStatuses)).toEqual({ messages: [], openedContexts: [] });
  });

  test('rule 28: without an adapter nothing is announced', () => {
    expect(close({}, [own], { ...announcing, hasProvider: false })).toEqual({ messages: [], openedContexts: [own] });
  });

  test('without a commit there is no place for a status', () => {
    expect(planClose(aBuild({ commit: undefined }), aResult(), announcing).messages).toEqual([]);
  });
});

describe('planClose: the comment', () => {
  const pull = aBuild({ target: TARGET, pullRequest: 7 });
  const nothing = {
    state: 'success',
    rule: 'nothing-relevant',
    explanation: 'No relevant lines.',
    summary: '',
    provisional: false,
  } as const;
  const quiet: Announcing = { ...announcing, repo: { ...announcing.repo, commentOnPullRequests: false } };

  test.each<[string, Build, BuildResult, Announcing, number]>([
    ['a pull request’s build with a percentage', pull, aResult(), announcing, 1],
    ['also with statuses switched off', pull, aResult(), noStatuses, 1],
    ['also without a commit', { ...pull, target: undefined }, aResult(), announcing, 1],
    [
      'without a percentage, a failed verdict',
      pull,
      aResult({ totals: totals(0, 0), verdict: { ...nothing, state: 'failure' } }),
      announcing,
      1,
    ],
    ['a push', aBuild({ target: TARGET }), aResult(), announcing, 0],
    ['a merge queue', { ...pull, mergeQueue: true }, aResult(), announcing, 0],
    ['comments switched off', pull, aResult(), quiet, 0],
    ['no adapter', pull, aResult(), { ...announcing, hasProvider: false }, 0],
  ])('%s', (_, build, result, settings, count) => {
    expect(comments(planClose(build, result, settings).messages)).toHaveLength(count);
  });

  test('rule 25: a close without a percentage or a failed verdict makes no comment, but edits the one there is', () => {
    const result = aResult({ totals: totals(0, 0), verdict: nothing });
    const [message] = comments(planClose(pull, result, announcing).messages) as [Message];
    expect(message).toBeDefined();
    expect(wantDelivery(undefined, message, toStatusOwner(pull))).toBeUndefined();
    const record = {
      statusOwner: toStatusOwner(pull),
      wanted: { version: 1, content: { kind: 'comment', body: 'Coverage 80.00%' } },
    } as const;
    expect(wantDelivery(record, message, toStatusOwner(pull))?.wanted).toMatchObject({ version: 2 });
  });

  test('is addressed to its pull request and carries the marker of this server and repo', () => {
    const [comment] = comments(planClose(pull, aResult(), announcing).messages);
    expect(comment?.target).toEqual({ kind: 'comment', pullRequest: 7 });
    expect(comment?.content).toMatchObject({
      kind: 'comment',
      body: expect.stringMatching(/^<!-- .*https:\/\/ci\.example.* 1 .*-->\n/),
    });
  });
});

test('rule 24: a merge queue’s build speaks for its own commit, not as a pull request’s', () => {
  const statusOwner = { buildId: 71, sequence: 71, trust: 'secret' };
  expect(toStatusOwner(aClosedBuild({ pullRequest: 7 }))).toMatchObject({ ...statusOwner, pullRequest: 7 });
  expect(toStatusOwner(aClosedBuild({ pullRequest: 7, mergeQueue: true }))).toEqual({
    ...statusOwner,
    pullRequest: undefined,
  });
});

describe('the check run that marks uncovered lines', () => {
  const pull = aBuild({ target: TARGET, pullRequest: 7 });
  const check = { name: 'coverage annotations', wanted: true };
  const patch = { files: [], fileCount: 0, unmeasured: [], unmeasuredCount: 0, complete: true, verdict: undefined };
  const place = { file: 'a.ts', first: 2, last: 3 };
  const marked = aResult({
    patch: { ...patch, totals: totals(1, 3) },
    marks: { places: [place], more: 0, lostFiles: 0 },
  });
  const covered = aResult({ patch: { ...patch, totals: totals(3, 3) }, marks: { places: [], more: 0, lostFiles: 0 } });
  const checksOf = (build: Build, result: BuildResult, given: Partial<Announcing> & { holdBack?: boolean } = {}) =>
    planClose(build, result, { ...announcing, check, ...given }).messages.filter(
      ({ target }) => target.kind === 'check',
    );

  test('stands on the pull request’s head, with its lines', () => {
    expect(checksOf(pull, marked)).toEqual([
      {
        target: { kind: 'check', commit: TARGET, name: 'coverage annotations' },
        content: expect.objectContaining({
          conclusion: 'neutral',
          annotations: [expect.objectContaining({ file: 'a.ts', firstLine: 2, lastLine: 3 })],
        }),
        onlyEdit: false,
      },
    ]);
    expect(checksOf(pull, marked, { repo: noStatuses.repo })).toHaveLength(1);
  });

  test.each<[string, Build, BuildResult, Parameters<typeof checksOf>[2]]>([
    ['for a push', aBuild({ target: TARGET }), marked, {}],
    ['for a merge queue', { ...pull, mergeQueue: true }, marked, {}],
    ['without a commit', { ...pull, target: undefined }, marked, {}],
    ['where the server can make none', pull, marked, { check: undefined }],
    ['without a provider', pull, marked, { hasProvider: false }],
    ['while a provisional verdict is held back', pull, { ...marked, provisionalSince: 1 }, { holdBack: true }],
    ['while nobody has said what changed', pull, aResult({ changesUnknownSince: 1 }), {}],
  ])('is none %s', (_, build, result, given) => {
    expect(checksOf(build, result, given)).toEqual([]);
  });

  test.each<[string, BuildResult, Parameters<typeof checksOf>[2], string]>([
    ['all is covered', covered, {}, 'Every relevant changed line is covered'],
    ['annotations are switched off', marked, { check: { ...check, wanted: false } }, 'Annotations are switched off'],
    ['no diff can be had', aResult(), {}, 'The changed lines are not known'],
  ])('is not made where %s, but one that was made says so', (_, result, given, title) => {
    const [message] = checksOf(pull, result, given);
    if (message === undefined) throw new Error('no message');
    expect(message.content).toMatchObject({ title, annotations: [] });
    expect(wantDelivery(undefined, message, toStatusOwner(pull))).toBeUndefined();
    const [first] = checksOf(pull, marked);
    const record = first && wantDelivery(undefined, first, toStatusOwner(pull));
    expect(wantDelivery(record, message, toStatusOwner(pull))).toMatchObject({
      wanted: { version: 2, content: { title } },
    });
  });

  test('belongs to a build as a context does, and changes with what it says', () => {
    const [message] = checksOf(pull, marked);
    const record = message && wantDelivery(undefined, message, toStatusOwner(pull));
    if (message === undefined || record === undefined) throw new Error('nothing is wanted');
    expect(wantDelivery(record, message, toStatusOwner(pull))).toBeUndefined();
    const unverified = aBuild({ sequence: 90, pullRequest: 7, trust: 'run' });
    expect(wantDelivery(record, message, toStatusOwner(unverified))).toBeUndefined();
    const newer = toStatusOwner(aBuild({ sequence: 90, pullRequest: 7 }));
    expect(wantDelivery(record, message, newer)).toMatchObject({ statusOwner: newer, wanted: { version: 1 } });
    const [moved] = checksOf(pull, { ...marked, marks: { places: [{ ...place, last: 4 }], more: 0, lostFiles: 0 } });
    expect(moved && wantDelivery(record, moved, toStatusOwner(pull))).toMatchObject({ wanted: { version: 2 } });
  });
});
