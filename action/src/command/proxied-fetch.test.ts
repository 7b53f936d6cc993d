import { expect, test } from 'vitest';
import { proxyFor } from './proxied-fetch.ts';

const PROXY = 'http://proxy.example:3128/';

test.each([
  ['https://coverage.example/x', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://coverage.example/x', { https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }, PROXY],
  ['http://coverage.example/x', { HTTPS_PROXY: PROXY }, undefined],
  ['http://coverage.example/x', { HTTP_PROXY: PROXY }, PROXY],
  ['https://coverage.example/x', { HTTPS_PROXY: PROXY, NO_PROXY: 'coverage.example' }, undefined],
  ['https://coverage.example/x', { HTTPS_PROXY: PROXY, no_proxy: 'a.test, .example' }, undefined],
  ['https://coverage.example/x', { HTTPS_PROXY: PROXY, NO_PROXY: '*.example' }, undefined],
  ['https://coverage.example/x', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, undefined],
  ['https://coverage.example:8443/x', { HTTPS_PROXY: PROXY, NO_PROXY: 'coverage.example:443' }, PROXY],
  ['https://coverage.example/x', { HTTPS_PROXY: PROXY, NO_PROXY: 'coverage.example:443' }, undefined],
  ['https://mycoverage.example/x', { HTTPS_PROXY: PROXY, NO_PROXY: 'coverage.example' }, PROXY],
  ['https://coverage.example/x', { HTTPS_PROXY: '' }, undefined],
])('%s with %j goes by %s', (url, env, proxy) => {
  expect(proxyFor(new URL(url), env)?.href).toBe(proxy);
});

test('what is no address of a proxy is refused without being shown: it may hold a password', () => {
  expect(() => proxyFor(new URL('https://a.example'), { HTTPS_PROXY: 'socks5://me:secret@proxy' })).toThrow(
    'HTTPS_PROXY is not the URL of a proxy, such as http://proxy.example:3128.',
  );
});
