import { expect, test } from 'vitest';
import { createCookies } from './cookies.ts';

function written(baseUrl: string): string {
  const lines: string[] = [];
  const context = { append: (_: string, line: string | string[]) => void lines.push(String(line)) };
  createCookies(() => baseUrl).write(context, 'session', 'value', 60_000);
  return lines.join();
}

test.each([
  ['https://ci.example', '__Host-coverage_session=value; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60'],
  ['https://ci.example/a', '__Secure-coverage_session=value; Path=/a; HttpOnly; SameSite=Lax; Secure; Max-Age=60'],
  ['http://ci.example', 'coverage_session=value; Path=/; HttpOnly; SameSite=Lax; Max-Age=60'],
])('a server at %s sets %s', (baseUrl, line) => expect(written(baseUrl)).toBe(line));

test('a cookie of another scheme or name does not count', () => {
  const cookies = createCookies(() => 'https://ci.example');
  const read = (cookie: string) => cookies.read({ get: () => cookie }, 'session');
  expect(read('a=b; __Host-coverage_session=value')).toBe('value');
  expect(read('coverage_session=value; x__Host-coverage_session=value')).toBeUndefined();
  expect(read('__Host-coverage_session=')).toBeUndefined();
});
