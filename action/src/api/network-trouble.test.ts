import { expect, test } from 'vitest';
import { describeNetworkTrouble, isHopeless } from './network-trouble.ts';

const failed = (cause: Error): Error => new TypeError('fetch failed', { cause });
const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

test.each([
  [failed(coded('ECONNREFUSED')), 'connection refused, nothing listens there (ECONNREFUSED)'],
  [failed(new AggregateError([coded('ETIMEDOUT'), coded('ECONNREFUSED')])), 'the connection timed out (ETIMEDOUT)'],
  [failed(coded('EODD', 'something odd')), 'something odd (EODD)'],
  [
    failed(coded('DEPTH_ZERO_SELF_SIGNED_CERT')),
    'its certificate is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT); set the input ca-file, or ' +
      "the runner's NODE_EXTRA_CA_CERTS",
  ],
  [failed(coded('CERT_HAS_EXPIRED')), 'its certificate has expired (CERT_HAS_EXPIRED)'],
  [failed(coded('ERR_SSL_NO_CIPHERS')), 'no https connection could be made (ERR_SSL_NO_CIPHERS)'],
  [new DOMException('aborted', 'TimeoutError'), 'no answer in time'],
  ['text', 'text'],
])('%s', (trouble, words) => expect(describeNetworkTrouble(trouble)).toBe(words));

test('what another try can not fix', () => {
  expect(isHopeless(failed(coded('DEPTH_ZERO_SELF_SIGNED_CERT')), 1)).toBe(true);
  expect(isHopeless(failed(new Error('bad port')), 1)).toBe(true);
  expect(isHopeless(failed(coded('ECONNREFUSED')), 9)).toBe(false);
  expect([1, 2, 3].map((tries) => isHopeless(failed(coded('ENOTFOUND')), tries))).toEqual([false, false, true]);
});
