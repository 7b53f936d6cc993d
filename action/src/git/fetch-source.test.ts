import { describe, expect, test } from 'vitest';
import { fetchSource } from './fetch-source.ts';

const server = { url: 'https://git.example', token: 't0ken' };
const credentials = [['http.https://git.example/.extraHeader', `Authorization: Basic ${btoa('x-access-token:t0ken')}`]];

describe("a remote on the run's own host is asked by https, with the token", () => {
  test.each([
    ['https://git.example/acme/shop', 'https://git.example/acme/shop'],
    ['https://x:other@GIT.example/acme/shop.git?a#b', 'https://git.example/acme/shop.git'],
    ['git@git.example:acme/shop.git', 'https://git.example/acme/shop.git'],
    ['git@git.example:/acme/shop.git', 'https://git.example/acme/shop.git'],
    ['ssh://git@git.example:2222/acme/shop', 'https://git.example/acme/shop'],
    ['git://git.example/acme/shop', 'https://git.example/acme/shop'],
    ['http://git.example/acme/shop', 'https://git.example/acme/shop'],
  ])('%s', (remote, url) => {
    expect(fetchSource(remote, server, ['https'])).toEqual({ url, credentials });
  });
});

test.each([
  ['https://other.example/acme/shop', 'https://other.example/acme/shop'],
  ['https://git.example:444/acme/shop', 'https://git.example:444/acme/shop'],
  ['https://git.example.other.example/x', 'https://git.example.other.example/x'],
])('%s is asked without the token', (remote, url) => {
  expect(fetchSource(remote, server, ['https'])).toEqual({ url, credentials: [] });
});

test.each([
  'ext::sh -c evil',
  'git@other.example:acme/shop',
  'git@git.example://other.example/x',
  'ssh://other.example/acme/shop',
  'git://other.example/acme/shop',
  'http://other.example/acme/shop',
  'file:///srv/shop',
  '/srv/shop',
  '../shop',
  'C:\\shop',
  '--upload-pack=evil',
  '',
])('%j is not asked', (remote) => {
  expect(fetchSource(remote, server, ['https'])).toBeUndefined();
});

test('without a token nobody is signed in, and a host that is not asked by https gets none', () => {
  const remote = 'https://git.example/acme/shop';
  expect(fetchSource(remote, { ...server, token: '' }, ['https'])).toEqual({ url: remote, credentials: [] });
  expect(fetchSource(remote, { ...server, url: 'http://git.example' }, ['https'])?.credentials).toEqual([]);
  expect(fetchSource('http://git.example/x', { ...server, url: 'http://git.example' }, ['https'])).toBeUndefined();
});
