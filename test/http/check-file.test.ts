import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/page-browser.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

/** A coverage.yml is checked on the page of rules, before anybody commits it. */

let service: Service;
let browser: Awaited<ReturnType<typeof signedIn>>;
let page: string;
beforeAll(async () => {
  service = await startService({ env: { MIN_TOTAL: '60' } });
  const { name } = await service.newRepo();
  await service.api.changeSettings(name, { visibility: 'public' }, 'manual');
  page = `/manual/${name}/rules`;
  await newPerson(service, 'ada');
  browser = await signedIn(service, 'ada');
  await browser.get(page);
});
afterAll(() => service.stop());

const plain = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const check = (file: string, fields: Readonly<Record<string, string>> = {}) =>
  browser.send(page, { file: file.replaceAll('\n', '\r\n'), ...fields });

test('a valid file says what it would mean, with the floors of this server', async () => {
  const { status, text } = await check('total: { minimum: 55, drop: 1 }\nowners: true\n');
  expect(status).toBe(200);
  expect(plain(text)).toContain('This file is valid');
  expect(plain(text)).toContain('total.minimum 60% this server total.drop 1 point coverage.yml, line 1');
  expect(plain(text)).toContain('owners yes coverage.yml, line 2');
  expect(text).toContain('<a href="#l2">coverage.yml, line 2</a>');
});

test('each error stands below its line with its column, and what was sent stays in the form', async () => {
  const { status, text } = await check('total: { minumum: 80 }\nuploads: <b>\n');
  expect(status).toBe(200);
  expect(plain(text)).toContain('has 2 errors');
  expect(text).toMatch(
    /id="l1" class="miss".*Error in line 1, column 10\..*minumum.*id="l2" class="miss".*line 2, column 10/s,
  );
  expect(text).toContain('rows="12"');
  expect(text).toMatch(/<textarea[^>]*>total: { minumum: 80 }\nuploads: &lt;b>\n<\/textarea>/);
});

test('an empty file is valid, and one that is too large says so', async () => {
  expect(plain((await check('')).text)).toContain('This file is valid.');
  expect(plain((await check('#'.repeat(70_000))).text)).toContain('has 70000 bytes. At most 65536');
});

test('a reader who has not signed in is led there, and no form without its token is read', async () => {
  const { text } = await service.api.send(page, { headers: { accept: 'text/html' } });
  expect(plain(text)).toContain('Sign in to check a file');
  expect(text).not.toContain('<textarea');
  expect((await check('total: off\n', { csrf: 'no' })).status).toBe(403);
  const visitor = openBrowser(service.url);
  await visitor.get('/sign-in');
  const { status, text: refused } = await visitor.send(page, { file: 'total: off\n' });
  expect([status, refused]).toEqual([401, expect.stringContaining('Sign in to check a file here.')]);
});
