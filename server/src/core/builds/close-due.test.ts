import { describe, expect, test } from 'vitest';
import { aBuild, aClosedBuild, aResult, dueTasks } from '../../../../test/support/records.ts';
import type { Build } from './build.ts';
import {
  closeBehind,
  closeReason,
  findNamedClose,
  findNamedRerun,
  findNamelessClose,
  markClosed,
  markPending,
  requestClose,
  requestRerun,
} from './close-due.ts';
import type { ClosedBy } from './due-tasks.ts';
import { dueAt, findTask } from './due-tasks.ts';

const AT = 100_000_000;
const MINUTE = 60_000;

describe('wire.md "Close": the build that a number means', () => {
  const open = (sequence: number): Build => aBuild({ sequence });
  const closed = (sequence: number): Build => aClosedBuild({ sequence });
  const none = { byNumber: [], byJobId: [], byOwnNumber: [] };

  test.each([
    ['nothing', none, undefined],
    ['the newest open build of that service_number', { ...none, byNumber: [closed(4), open(3), open(2)] }, 3],
    ['else the newest of it', { ...none, byNumber: [closed(4), closed(3)] }, 4],
    ['a service_number before a job id', { byNumber: [closed(1)], byJobId: [open(9)], byOwnNumber: [open(8)] }, 1],
    ['a job id before a build’s own number', { ...none, byJobId: [closed(1)], byOwnNumber: [open(8)] }, 1],
    ['the newest open build with that job id', { ...none, byJobId: [closed(4), open(3), open(2)] }, 3],
    ['the newest open build with that own number', { ...none, byOwnNumber: [closed(4), open(3)] }, 3],
    ['else the newest with that own number', { ...none, byOwnNumber: [closed(4), closed(3)] }, 4],
  ])('%s', (_, candidates, expected) => {
    expect(findNamedClose(candidates)?.sequence).toBe(expected);
  });
});

describe('wire.md "Close": what a close without a number means', () => {
  const open = (sequence: number, stated: Partial<Build> = {}): Build =>
    aBuild({ sequence, serviceNumber: undefined, ...stated });
  const numbered = (sequence: number): Build => aBuild({ sequence });
  const meant = (sequence: number, ago: number): Build => aClosedBuild({ sequence, namelessCloseAt: AT - ago });

  test.each<[string, readonly Build[], readonly Build[], number | undefined]>([
    ['nothing', [], [], undefined],
    ['the newest open parallel build without a service_number', [numbered(4), open(3), open(2)], [meant(9, 1)], 3],
    ['else the newest open parallel build', [numbered(4), numbered(3)], [meant(9, 1)], 4],
    ['no build that is not parallel', [open(4, { parallel: false }), open(3)], [], 3],
    ['with none open, the one that was closed so last', [], [meant(9, 2 * MINUTE), meant(8, MINUTE)], 8],
    ['ten minutes later still', [], [meant(9, 10 * MINUTE)], 9],
    ['not after that', [], [meant(9, 10 * MINUTE + 1)], undefined],
    ['no build that was never closed so', [], [aClosedBuild()], undefined],
  ])('%s', (_, openBuilds, closed, expected) => {
    expect(findNamelessClose(openBuilds, closed, AT)?.sequence).toBe(expected);
  });
});

describe('a rerun', () => {
  const none = { byNumber: [], byJobId: [], byOwnNumber: [] };

  test.each([
    ['nothing', none, undefined],
    [
      'the newest closed build, though a newer one is open',
      { ...none, byNumber: [aBuild({ sequence: 9 }), aClosedBuild({ sequence: 4 })] },
      4,
    ],
    ['one that a late job has re-opened', { ...none, byNumber: [aClosedBuild({ sequence: 5, state: 'open' })] }, 5],
    [
      'a service_number before a job id',
      { ...none, byNumber: [aClosedBuild({ sequence: 1 })], byJobId: [aClosedBuild({ sequence: 9 })] },
      1,
    ],
    ['an open build where there is no other', { ...none, byOwnNumber: [aBuild({ sequence: 3 })] }, 3],
  ])('means %s', (_, candidates, expected) => {
    expect(findNamedRerun(candidates)?.sequence).toBe(expected);
  });

  test('makes a closed build due, by what closed it, with its last result', () => {
    const build = aClosedBuild({ result: aResult({ closedBy: 'deadline' }) });
    const due = requestRerun(build, AT);
    expect(due).toEqual({
      ...build,
      revision: build.revision + 1,
      state: 'open',
      due: dueTasks({ close: ['deadline', AT] }),
    });
    expect([closeReason(due, AT), dueAt(due)]).toEqual(['deadline', AT]);
  });

  test('changes nothing where a close is due already, or where there never was one', () => {
    const due = requestRerun(aClosedBuild(), AT);
    expect(requestRerun(due, AT + 1)).toBe(due);
    const open = aBuild();
    expect(requestRerun(open, AT)).toBe(open);
  });
});

describe('requestClose', () => {
  const request = { carryforward: undefined, nameless: false, at: AT };
  const webhook = { kind: 'close', by: 'webhook', at: AT } as const;

  test('rule 11: an open build has its close due at once', () => {
    const build = aBuild({ revision: 3 });
    expect(requestClose(build, request)).toEqual({
      ...build,
      revision: 4,
      due: dueTasks({ close: ['webhook', AT], deadline: 1_801_000 }),
    });
  });

  test('a repeated close changes nothing in a closed build', () => {
    const build = aClosedBuild();
    expect(requestClose(build, { carryforward: 'all', nameless: true, at: AT })).toBe(build);
  });

  test('a repeated close does not put the first one off', () => {
    const due = dueTasks({ close: ['webhook', AT - 5_000] });
    expect(requestClose(aBuild({ due }), request).due).toEqual(due);
  });

  test('the same asked again while it is worked out does not start the work again', () => {
    const due = aBuild({ revision: 5, carryforward: ['ui'], due: [webhook] });
    expect(requestClose(due, request)).toBe(due);
    expect(requestClose(due, { ...request, carryforward: ['ui'] })).toBe(due);
    const remembered = { ...due, revision: 6, namelessCloseAt: AT };
    expect(requestClose(due, { ...request, nameless: true })).toEqual(remembered);
    expect(requestClose(remembered, { ...request, nameless: true, at: AT + 1 })).toBe(remembered);
    expect(requestClose(due, { ...request, carryforward: 'all' }).revision).toBe(6);
  });

  test('a build that was closed by deadline is closed again when its CI asks at last', () => {
    const timedOut = aClosedBuild({ revision: 7, result: aResult({ closedBy: 'deadline' }) });
    expect(requestClose(timedOut, { ...request, carryforward: ['ui'] })).toMatchObject({
      state: 'open',
      revision: 8,
      due: [webhook],
      carryforward: ['ui'],
    });
  });

  test('a build that the end of its run closed is closed again only for what is to be carried', () => {
    const closed = aClosedBuild({ result: aResult({ closedBy: 'provider' }) });
    expect(requestClose(closed, { carryforward: undefined, nameless: false, at: AT })).toBe(closed);
    const asked = requestClose(closed, { carryforward: ['e2e'], nameless: false, at: AT });
    expect(asked).toMatchObject({ state: 'open', carryforward: ['e2e'], due: [webhook] });
    const again = { ...closed, carryforward: ['e2e'] };
    expect(requestClose(again, { carryforward: ['e2e'], nameless: false, at: AT })).toBe(again);
  });

  test('a webhook’s close stands over that of a job', () => {
    expect(requestClose(aBuild({ due: dueTasks({ close: ['job', AT - 1] }) }), request).due).toEqual([webhook]);
  });

  test('rule 12: the carryforward list of the last close stays unless another is given', () => {
    const build = aBuild({ carryforward: ['ui'] });
    expect(requestClose(build, request).carryforward).toEqual(['ui']);
    expect(requestClose(build, { ...request, carryforward: 'all' }).carryforward).toBe('all');
  });

  test('only a close without a number is remembered as one', () => {
    expect(requestClose(aBuild(), { ...request, nameless: true }).namelessCloseAt).toBe(AT);
    expect(requestClose(aBuild({ namelessCloseAt: 7 }), request).namelessCloseAt).toBe(7);
  });
});

describe('closeReason and dueAt', () => {
  const close = ['webhook', AT - 5] as const;
  const closedBy = (by: ClosedBy): Pick<Build, 'result'> => ({ result: aResult({ closedBy: by }) });

  test.each<[string, Build, ClosedBy | undefined, number | undefined]>([
    ['a closed build', aClosedBuild(), undefined, undefined],
    ['an open build that waits', aBuild({ due: dueTasks({ deadline: AT + 1 }) }), undefined, AT + 1],
    ['an open build whose quiet period is over', aBuild({ due: dueTasks({ deadline: AT }) }), 'deadline', AT],
    ['a close that is due', aBuild({ due: dueTasks({ close, deadline: AT + 1 }) }), 'webhook', AT - 5],
    [
      'a close that is due, past the deadline too',
      aBuild({ due: dueTasks({ close, deadline: AT - 1 }) }),
      'webhook',
      AT - 5,
    ],
    [
      'a late job that waits',
      aBuild({ due: dueTasks({ deadline: AT + 1 }), ...closedBy('webhook') }),
      undefined,
      AT + 1,
    ],
    [
      'a late job’s time over: the webhook closed it',
      aBuild({ due: dueTasks({ deadline: AT }), ...closedBy('webhook') }),
      'webhook',
      AT,
    ],
    [
      'a late job’s time over: the deadline closed it',
      aBuild({ due: dueTasks({ deadline: AT }), ...closedBy('deadline') }),
      'deadline',
      AT,
    ],
    ['pending statuses', aBuild({ due: dueTasks({ deadline: AT + 1, pending: AT - 9 }) }), undefined, AT - 9],
  ])('%s', (_, build, reason, at) => {
    expect(closeReason(build, AT)).toBe(reason);
    expect(dueAt(build)).toBe(at);
  });
});

describe('what is written', () => {
  const openedContexts = [{ context: 'coverage', flag: undefined }];

  test('a close settles everything that was due', () => {
    const build = aBuild({
      revision: 3,
      due: dueTasks({ close: ['job', 1], deadline: AT, revisit: 2, pending: 1 }),
      carryforward: 'all',
      namelessCloseAt: 5,
    });
    const result = aResult();
    const closed = markClosed(build, result, openedContexts, 'target');
    expect(closed).toEqual({
      ...build,
      revision: 4,
      state: 'closed',
      due: [],
      target: 'target',
      openedContexts,
      result,
    });
    expect(dueAt(closed)).toBeUndefined();
  });

  describe('a close that stays behind what came in the meantime', () => {
    const result = aResult();
    const merged = aBuild({ revision: 3, due: dueTasks({ close: ['webhook', 1] }), carryforward: ['web'] });
    const behind = { merged, late: MINUTE };
    const write = (build: Build): Build =>
      closeBehind(build, { result, openedContexts, target: 'target', behind, at: AT });

    test('gives the build its result, and leaves it open for its late jobs (rule 12)', () => {
      const moved = { ...merged, revision: 9, jobs: 4 };
      expect(write(moved)).toEqual({
        ...markClosed(moved, result, openedContexts, 'target'),
        state: 'open',
        due: dueTasks({ deadline: AT + MINUTE }),
      });
      expect(dueAt(write(moved))).toBe(AT + MINUTE);
      expect(closeReason(write(moved), AT)).toBeUndefined();
    });

    test.each([
      ['another close', { due: dueTasks({ close: ['webhook', 7] }) }],
      ['another list', { carryforward: 'all' }],
    ] as const)('keeps %s due that was asked for meanwhile', (_, asked) => {
      const moved: Build = { ...merged, revision: 9, ...asked };
      expect(findTask(write(moved).due, 'close')).toEqual(findTask(moved.due, 'close'));
      expect(closeReason(write(moved), AT)).toBe('webhook');
    });
  });

  test('pending statuses leave the close as it is', () => {
    const build = aBuild({ revision: 3, due: dueTasks({ deadline: 9, pending: 1 }) });
    const opened = markPending(build, { target: 'target', openedContexts });
    expect(opened).toEqual({ ...build, revision: 4, due: dueTasks({ deadline: 9 }), target: 'target', openedContexts });
  });
});

describe('rule 29: a close or rerun that a run was vouched for with', () => {
  const none = { byNumber: [], byJobId: [], byOwnNumber: [] };
  const run = { id: '900', number: '71', headCommit: 'a'.repeat(40) };
  const other = { ...run, id: '901', number: '5' };
  const of = (sequence: number, stated: Partial<Build>): Build => aClosedBuild({ sequence, commit: 'b', ...stated });
  const own = { serviceNumber: '900', commit: run.headCommit };

  test.each<[string, Partial<Parameters<typeof findNamedClose>[0]>, number | undefined]>([
    ['a build of its number and commit', { byNumber: [of(2, { serviceNumber: '900' }), of(1, own)] }, 1],
    ['one that goes to its commit', { byNumber: [of(1, { ...own, commit: 'c', target: run.headCommit })] }, 1],
    ['one that it opened', { byNumber: [of(1, { serviceNumber: '900', vouchedRun: run })] }, 1],
    ['none that another run opened', { byNumber: [of(1, { ...own, vouchedRun: other })] }, undefined],
    ['one of its job id and commit', { byJobId: [of(2, {}), of(1, { commit: run.headCommit })] }, 1],
    ['none by its own number', { byOwnNumber: [of(1, { ...own, serviceNumber: undefined })] }, undefined],
  ])('means %s', (_, candidates, sequence) => {
    expect(findNamedClose({ ...none, ...candidates }, { run })?.sequence).toBe(sequence);
    expect(findNamedRerun({ ...none, ...candidates }, { run })?.sequence).toBe(sequence);
  });

  test('a repo token means a build whose number was only claimed last', () => {
    const claimed = of(2, { ...own, vouchedRun: other });
    expect(findNamedClose({ ...none, byNumber: [claimed, of(1, own)] })?.sequence).toBe(1);
    expect(findNamedClose({ ...none, byNumber: [claimed] })?.sequence).toBe(2);
  });
});
