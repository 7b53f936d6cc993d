import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Trust } from '../builds/job.ts';
import type { CommentContent, Delivery, Message, StatusContent, StatusOwner } from './delivery.ts';
import { precedingOwner, sameContent, wantDelivery } from './status-owner.ts';

const statusOwner = (sequence: number, stated: Partial<StatusOwner> = {}): StatusOwner => ({
  buildId: sequence,
  sequence,
  trust: 'secret',
  pullRequest: undefined,
  ...stated,
});

const status = (
  state: StatusContent['state'],
  description = 'x',
  targetUrl = 'https://ci.example/1',
): StatusContent => ({
  kind: 'status',
  state,
  description,
  targetUrl,
});
const comment = (body: string): CommentContent => ({ kind: 'comment', body });

const statusMessage = (content: StatusContent): Message => ({
  target: { kind: 'status', commit: 'c', context: 'coverage' },
  content,
});
const commentMessage = (content: CommentContent): Message => ({ target: { kind: 'comment', pullRequest: 7 }, content });

describe('rule 24: who speaks about a commit', () => {
  test.each<[string, StatusOwner, StatusOwner]>([
    ['the higher sequence', statusOwner(2), statusOwner(1)],
    ['a pull request’s build before a push’s', statusOwner(1, { pullRequest: 7 }), statusOwner(2)],
    ['a trusted build before an unverified run', statusOwner(1), statusOwner(2, { trust: 'run' })],
    ['trust before a pull request', statusOwner(1), statusOwner(2, { trust: 'run', pullRequest: 7 })],
    ['a provider’s word is trusted', statusOwner(1, { trust: 'provider' }), statusOwner(2, { trust: 'run' })],
    ['secret and provider are alike', statusOwner(2, { trust: 'provider' }), statusOwner(1, { trust: 'secret' })],
    [
      'a bot’s run of the repo before a fork’s that copies its head',
      statusOwner(1, { trust: 'run', pullRequest: 9 }),
      statusOwner(2, { trust: 'run', pullRequest: 7, copiesHead: true }),
    ],
    ['of two runs the higher sequence', statusOwner(2, { trust: 'run' }), statusOwner(1, { trust: 'run' })],
    [
      'of two pull requests the higher sequence',
      statusOwner(2, { pullRequest: 3 }),
      statusOwner(1, { pullRequest: 9 }),
    ],
  ])('%s', (_, first, second) => {
    expect(precedingOwner([second, first])).toBe(first);
    expect(precedingOwner([first, second])).toBe(first);
  });

  test('a build has precedence over itself, so that it can update what it announced', () => {
    const again = statusOwner(1);
    expect(precedingOwner([statusOwner(1), again])).toBe(again);
  });

  const owners = fc.uniqueArray(
    fc.record({
      sequence: fc.integer({ min: 1, max: 9 }),
      trust: fc.constantFrom<Trust>('secret', 'provider', 'run'),
      copiesHead: fc.constantFrom<true | undefined>(true, undefined),
      pullRequest: fc.constantFrom(undefined, 7, 8),
    }),
    { selector: (one) => one.sequence, maxLength: 6 },
  );
  const twoOrders = owners
    .map((all) => all.map((one) => statusOwner(one.sequence, one)))
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));

  test('every order of arrival gives the same owner', () => {
    fc.assert(
      fc.property(twoOrders, ([one, other]) => {
        expect(precedingOwner(other)).toEqual(precedingOwner(one));
        expect(
          one.every(
            (each) =>
              each.buildId === precedingOwner(one)?.buildId ||
              precedingOwner([precedingOwner(one) as StatusOwner, each]) === precedingOwner(one),
          ),
        ).toBe(true);
      }),
    );
  });

  test('every order of arrival leaves the same record', () => {
    const last = (all: readonly StatusOwner[]) =>
      all.reduce<Pick<Delivery, 'statusOwner' | 'wanted'> | undefined>(
        (record, one) => wantDelivery(record, statusMessage(status('success', `build ${one.buildId}`)), one) ?? record,
        undefined,
      );
    fc.assert(
      fc.property(twoOrders, ([one, other]) => {
        expect(last(other)?.statusOwner).toEqual(last(one)?.statusOwner);
        expect(last(other)?.wanted.content).toEqual(last(one)?.wanted.content);
      }),
    );
  });
});

describe('rule 27: what a message changes in its record', () => {
  const record = { statusOwner: statusOwner(5), wanted: { version: 3, content: status('pending') } };
  const fresh = { parked: undefined, attempts: 0 };

  test('the first one is version 1', () => {
    expect(wantDelivery(undefined, statusMessage(status('pending')), statusOwner(5))).toEqual({
      statusOwner: statusOwner(5),
      wanted: { version: 1, content: status('pending') },
      ...fresh,
    });
  });

  test('another content is the next version, tried from the first attempt on', () => {
    expect(wantDelivery(record, statusMessage(status('success')), statusOwner(5))).toEqual({
      statusOwner: statusOwner(5),
      wanted: { version: 4, content: status('success') },
      ...fresh,
    });
  });

  test('rule 23: the same content is not wanted again', () => {
    expect(wantDelivery(record, statusMessage(status('pending')), statusOwner(5))).toBeUndefined();
  });

  test('another build takes the place over, also with the same content', () => {
    expect(wantDelivery(record, statusMessage(status('pending')), statusOwner(6))).toEqual({
      statusOwner: statusOwner(6),
      wanted: { version: 3, content: status('pending') },
      ...fresh,
    });
  });

  test('rule 24: a build that does not own the place changes nothing', () => {
    expect(wantDelivery(record, statusMessage(status('failure')), statusOwner(4))).toBeUndefined();
  });

  test('a pull request’s comment belongs to the newest of its builds', () => {
    const comments = { statusOwner: statusOwner(5, { pullRequest: 7 }), wanted: { version: 1, content: comment('a') } };
    const write = (one: StatusOwner) => wantDelivery(comments, commentMessage(comment('b')), one)?.wanted;
    expect(write(statusOwner(6, { pullRequest: 7 }))).toEqual({ version: 2, content: comment('b') });
    expect(write(statusOwner(4, { pullRequest: 7 }))).toBeUndefined();
  });

  test('a pull request’s comment belongs to the newest of its builds, no matter who vouched for it', () => {
    // Trust decides among builds of one commit; the comment follows the current head (rule 24).
    const comments = { statusOwner: statusOwner(5, { pullRequest: 7 }), wanted: { version: 1, content: comment('a') } };
    const newer = statusOwner(6, { pullRequest: 7, trust: 'run' });
    expect(wantDelivery(comments, commentMessage(comment('b')), newer)?.wanted).toEqual({
      version: 2,
      content: comment('b'),
    });
  });
});

describe('rule 24: a pull request’s comment belongs to its current head', () => {
  const of = (sequence: number, target: string, head?: readonly [string, number]): StatusOwner =>
    statusOwner(sequence, { pullRequest: 7, target, ...(head && { head: { commit: head[0], at: head[1] } }) });
  const write = (record: StatusOwner, candidate: StatusOwner) =>
    wantDelivery(
      { statusOwner: record, wanted: { version: 1, content: comment('a') } },
      commentMessage(comment('b')),
      candidate,
    );

  test.each<[string, StatusOwner, StatusOwner, boolean]>([
    ['not a newer build of an old head', of(5, 'new', ['new', 1]), of(6, 'old', ['new', 2]), false],
    ['not one that was told of the old head before', of(5, 'new', ['new', 2]), of(6, 'old', ['old', 1]), false],
    ['an older build of the head', of(6, 'old', ['old', 1]), of(5, 'new', ['new', 2]), true],
    ['a build of what was pushed back', of(5, 'new', ['new', 1]), of(6, 'old', ['old', 2]), true],
    ['of two builds of the head the newer', of(5, 'new', ['new', 1]), of(6, 'new', ['new', 1]), true],
    ['never the older', of(6, 'new', ['new', 1]), of(5, 'new', ['new', 1]), false],
    ['a newer build while nobody knows the head', of(5, 'new'), of(6, 'newer'), true],
    ['a newer build that was told nothing yet', of(5, 'new', ['new', 1]), of(6, 'newer'), true],
    ['not an older build, while the newer was told nothing', of(6, 'newer'), of(5, 'new', ['new', 1]), false],
    ['not an unverified run beside a trusted build', of(5, 'new'), { ...of(6, 'new'), trust: 'run' }, false],
    ['a trusted build beside an unverified run', { ...of(6, 'new'), trust: 'run' }, of(5, 'new'), true],
    ['the same build', of(5, 'old', ['new', 1]), of(5, 'old', ['new', 2]), true],
  ])('%s', (_, record, candidate, expected) => {
    expect(write(record, candidate) !== undefined).toBe(expected);
  });

  test('the newest head that anybody was told of is kept', () => {
    const again = write(of(5, 'new', ['new', 9]), of(6, 'new', ['new', 3]));
    expect(again?.statusOwner.head).toEqual({ commit: 'new', at: 9 });
  });
});

test.each<[string, StatusContent | CommentContent, StatusContent | CommentContent, boolean]>([
  ['equal statuses', status('success'), status('success'), true],
  ['another state', status('success'), status('failure'), false],
  ['another description', status('success', 'a'), status('success', 'b'), false],
  ['another page', status('success', 'a', 'https://a'), status('success', 'a', 'https://b'), false],
  ['equal comments', comment('a'), comment('a'), true],
  ['another comment', comment('a'), comment('b'), false],
  ['a status and a comment', status('success'), comment('a'), false],
])('sameContent: %s', (_, a, b, expected) => {
  expect(sameContent(a, b)).toBe(expected);
  expect(sameContent(b, a)).toBe(expected);
});
