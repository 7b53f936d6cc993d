import { describe, expect, test } from 'vitest';
import { Failure } from '../../core/failure.ts';
import { checkEnvelope, type Envelope } from './envelope.ts';

/** The Failure that an envelope is refused with. */
function refusal(envelope: Readonly<Record<string, unknown>>): Failure {
  try {
    checkEnvelope(envelope);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('the envelope was taken');
}

describe('checkEnvelope', () => {
  test('an empty object is an envelope: every field may be missing', () => {
    const envelope = checkEnvelope({});
    const { parallel, git, ...texts } = envelope;
    expect(parallel).toBe(false);
    expect(git).toEqual({ head: undefined, branch: undefined });
    expect(Object.values(texts).every((value) => value === undefined)).toBe(true);
  });

  test('unknown keys are ignored at every level', () => {
    const envelope = checkEnvelope({
      test_framework: { a: 1 },
      service_name: 'ci',
      git: { head: { id: 'abc', commiter_name: 3 }, remotes: 7, odd: [] },
    });
    expect(envelope).toMatchObject({ service_name: 'ci', git: { head: { id: 'abc' } } });
    expect(envelope).not.toHaveProperty('test_framework');
  });

  test.each<[unknown, string | undefined]>([
    ['71', '71'],
    [71, '71'],
    [' 71\n', '71'],
    ['', undefined],
    ['  ', undefined],
    [null, undefined],
    [undefined, undefined],
    [0, '0'],
    [false, 'false'],
  ])('a text that comes as %j is %j', (value, expected) => {
    expect(checkEnvelope({ service_number: value }).service_number).toBe(expected);
    expect(checkEnvelope({ service_job_id: value }).service_job_id).toBe(expected);
  });

  test.each<[unknown, boolean]>([
    [true, true],
    ['true', true],
    ['TRUE', true],
    ['1', true],
    [1, true],
    [false, false],
    ['false', false],
    ['0', false],
    [0, false],
    ['', false],
    [null, false],
    [undefined, false],
  ])('parallel %j is %s', (value, expected) => {
    expect(checkEnvelope({ parallel: value }).parallel).toBe(expected);
  });

  test.each<[Readonly<Record<string, unknown>>, string, string]>([
    [{ parallel: 'maybe' }, 'parallel', 'parallel must be true or false, but is "maybe".'],
    [{ parallel: 2 }, 'parallel', 'parallel must be true or false, but is 2.'],
    [{ flag_name: { a: 1 } }, 'flag_name', 'flag_name must be a text or a number, but is {"a":1}.'],
    [{ service_number: ['1'] }, 'service_number', 'service_number must be a text or a number, but is ["1"].'],
  ])('%j is refused, naming the field and the value', (envelope, field, message) => {
    expect(refusal(envelope)).toMatchObject({ code: 'payload-invalid', field, message });
  });

  test('a refusal quotes little of a large value', () => {
    expect(refusal({ flag_name: ['x'.repeat(100_000)] }).message.length).toBeLessThan(300);
  });

  test.each<[string, unknown, Envelope['git']]>([
    ['null', null, { head: undefined, branch: undefined }],
    ['{}', {}, { head: undefined, branch: undefined }],
    ['[{}]', [{}], { head: undefined, branch: undefined }],
    ['[]', [], { head: undefined, branch: undefined }],
    ['a text', 'main', { head: undefined, branch: undefined }],
    ['a branch alone', { branch: 'main\n', head: null }, { head: undefined, branch: 'main' }],
    ['an odd branch', { branch: { a: 1 }, head: 'x' }, { head: undefined, branch: undefined }],
  ])('git as %s never refuses an upload', (_, value, expected) => {
    expect(checkEnvelope({ git: value }).git).toEqual(expected);
  });

  const head = {
    id: 'abc',
    authorName: 'Ann',
    authorEmail: 'not an address',
    committerName: 'Bob',
    committerEmail: 'b@x.example',
    message: 'Fix\n\nAll of it',
  };

  test.each([
    [
      'snake_case',
      {
        id: 'abc\n',
        author_name: 'Ann',
        author_email: 'not an address',
        committer_name: 'Bob',
        committer_email: 'b@x.example',
        message: 'Fix\n\nAll of it\n',
      },
    ],
    ['camelCase', head],
  ])('git.head in %s', (_, raw) => {
    expect(checkEnvelope({ git: { head: raw } }).git.head).toEqual(head);
  });

  test.each<[unknown, string | undefined]>([
    [{ commit_sha: ' abc\n' }, 'abc'],
    [{ commit_sha: '' }, undefined],
    [{ commit_sha: ' ' }, undefined],
    [{ commit_sha: 5 }, undefined],
    [{ pwd: '/home/ci' }, undefined],
    ['production', undefined],
    [null, undefined],
  ])('environment %j gives the commit %j, and nothing else of it is kept', (environment, expected) => {
    expect(checkEnvelope({ environment }).environment).toBe(expected);
  });
});
