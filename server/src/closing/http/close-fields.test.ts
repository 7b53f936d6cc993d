import { describe, expect, test } from 'vitest';
import { Failure } from '../../core/failure.ts';
import { readClosePayload } from './close-fields.ts';

const nothing = { token: undefined, repoName: undefined, buildNumber: undefined, carryforward: undefined };

describe('readClosePayload', () => {
  test.each<[string, Record<string, unknown>, unknown, Partial<ReturnType<typeof readClosePayload>>]>([
    ['an empty body', { repo_token: 't' }, undefined, { token: 't' }],
    ['JSON', { repo_token: 't' }, { payload: { build_num: '71', status: 'done' } }, { token: 't', buildNumber: '71' }],
    ['a number', {}, { payload: { build_num: 71, status: 'done' } }, { buildNumber: '71' }],
    [
      'form pairs',
      {},
      { repo_token: 't', payload: { build_num: '71', status: 'done' } },
      { token: 't', buildNumber: '71' },
    ],
    ['a form with a JSON string', {}, { payload: '{"build_num": 71, "status": "done"}' }, { buildNumber: '71' }],
    ['no status', {}, { payload: { build_num: '71' } }, { buildNumber: '71' }],
    ['no payload', { repo_token: 't' }, {}, { token: 't' }],
    ['an empty payload', {}, { payload: '' }, {}],
    ['a null payload', {}, { payload: null }, {}],
    ['build_num null', {}, { payload: { build_num: null, status: 'done' } }, {}],
    ['build_num ""', {}, { payload: { build_num: ' ', status: 'done' } }, {}],
    ['the token in the body', {}, { repo_token: 't' }, { token: 't' }],
    ['the token in both: the query’s', { repo_token: 'q' }, { repo_token: 'b' }, { token: 'q' }],
    ['the token in the query empty: the body’s', { repo_token: '' }, { repo_token: 'b' }, { token: 'b' }],
    ['the token twice in the query: the first', { repo_token: ['q', 'r'] }, {}, { token: 'q' }],
    [
      'a repo’s name beside a provider’s token',
      {},
      { repo_token: 'b', repo_name: 'acme/app' },
      { token: 'b', repoName: 'acme/app' },
    ],
    ['unknown keys', { x: '1' }, { y: {}, payload: { z: [] } }, {}],
  ])('%s', (_, query, body, expected) => {
    expect(readClosePayload(query, body)).toEqual({ ...nothing, ...expected });
  });

  test.each<[string, unknown, readonly string[] | 'all' | undefined]>([
    ['one', 'ui', ['ui']],
    ['a comma list, which is read with the flags of the repo', ' ui, api,,ui ', ['ui, api,,ui']],
    ['a list', ['ui', 'api'], ['ui', 'api']],
    ['a list of comma lists', ['ui,api', 'docs', 'docs', ''], ['ui,api', 'docs']],
    ['all', 'all', 'all'],
    ['all in a list', ['all'], 'all'],
    ['nothing', '', undefined],
    ['commas', ' , ', undefined],
    ['null', null, undefined],
    ['an empty list', [], undefined],
  ])('carryforward as %s, in the query or the body', (_, value, expected) => {
    expect(readClosePayload({ carryforward: value }, {}).carryforward).toEqual(expected);
    expect(readClosePayload({}, { carryforward: value }).carryforward).toEqual(expected);
  });

  test('no more than 1,000 flags, however they are listed', () => {
    const flags = Array.from({ length: 1_001 }, (_, index) => `f${index}`);
    for (const carryforward of [flags, flags.join(','), [flags.slice(1).join(','), 'f0']])
      expect(() => readClosePayload({}, { carryforward })).toThrow('carryforward names 1001 flags');
  });

  test('carryforward empty in the query: the body’s', () => {
    expect(readClosePayload({ carryforward: '' }, { carryforward: 'ui' }).carryforward).toEqual(['ui']);
  });

  test.each<[string, unknown, string, RegExp]>([
    [
      'another status',
      { payload: { status: 'failed' } },
      'payload.status',
      /^payload\.status must be "done", but is "failed"\.$/,
    ],
    [
      'a status that is no text',
      { payload: { status: {} } },
      'payload.status',
      /payload\.status must be a text or a number/,
    ],
    ['a list as the body', [1], 'the body', /^the body must be an object, but is \[1\]\.$/],
    [
      'a text as the payload',
      { payload: 'build 71' },
      'payload',
      /must be an object or its JSON, but is "build 71"\.$/,
    ],
    ['a list as the payload', { payload: [1] }, 'payload', /^payload must be an object, but is \[1\]\.$/],
    ['the JSON of a list', { payload: '[1]' }, 'payload', /must be an object or its JSON, but is "\[1\]"\.$/],
    [
      'an object as the number',
      { payload: { build_num: { a: 1 } } },
      'payload.build_num',
      /payload\.build_num must be a text or a number/,
    ],
    [
      'an object as carryforward',
      { carryforward: { a: 1 } },
      'carryforward',
      /carryforward must be a text or a number/,
    ],
  ])('%s is refused, naming the field', (_, body, field, message) => {
    const close = () => readClosePayload({}, body);
    expect(close).toThrow(message);
    expect(close).toThrow(Failure);
    expect(close).toThrow(expect.objectContaining({ code: 'payload-invalid', field }));
  });
});
