import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const moved: Record<string, string> = JSON.parse(readFileSync(`${root}docs/moved.json`, 'utf8'));

let service: Service;
beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/bundle-docs.ts'], { cwd: root });
  service = await startService({ env: { BASE_URL: 'https://coverage.example/below', REQUIRE_SIGN_IN: 'true' } });
});
afterAll(() => service.stop());

const get = async (path: string, accept = 'text/html') => {
  const answer = await fetch(`${service.url}/below${path}`, { headers: { accept } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('the docs at /docs', () => {
  test('list every page for everybody, and each link leads to a page with its anchor', async () => {
    const first = await get('/docs');
    expect([first.status, first.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    const pages = new Map([['/below/docs', first.text]]);
    const links: string[] = [];
    for (const [, text] of pages)
      for (const [, href = ''] of text.matchAll(/href="(\/below\/docs[^"]*)"/g)) {
        links.push(href);
        const [path = ''] = href.split('#');
        if (!pages.has(path)) pages.set(path, (await get(path.slice('/below'.length))).text);
      }
    const listed = [...readFileSync(`${root}docs/README.md`, 'utf8').matchAll(/\]\(([\w/-]+)\.md\)/g)];
    expect(pages.size).toBeGreaterThan(listed.length);
    const lost = links.filter((href) => {
      const [path = '', anchor] = href.split('#');
      return anchor !== undefined && !pages.get(path)?.includes(`id="${anchor}"`);
    });
    expect(lost).toEqual([]);
    for (const [path, text] of pages) {
      expect([path, text.includes('There is nothing here'), text.includes('docs:')]).toEqual([path, false, false]);
      // Nothing is loaded from elsewhere, and nothing of a page is code or style of its own.
      expect(text).not.toMatch(/<(?:img|iframe|script|link)[^>]+(?:src|href)="(?:https?:)?\/\//);
      expect(text.replaceAll('<script type="module" src=', '')).not.toMatch(/<script|<style| style="| on[a-z]+="/);
    }
  });

  test('show what Markdown says: tables, code, angle brackets as text', async () => {
    const { text } = await get('/docs/formats');
    expect(text).toContain('<th>');
    expect(text).toContain('<code>&lt;line&gt;</code>');
    expect((await get('/docs/architecture/processing')).text).toContain('<h1 id="how-a-job-is-processed">');
  });

  test('are searched: all words, headings first, and what is asked for is text', async () => {
    const found = await get('/docs?q=retention+days');
    expect(found.text).toContain('href="/below/docs/configuration#');
    const heading = await get('/docs?q=rule+29');
    const [, first] = /<h2><a href="([^"]+)"/.exec(heading.text) ?? [];
    expect(first).toBe('/below/docs/rules#rule-29-trust');
    const none = await get(`/docs?q=${encodeURIComponent('<script>nothing</script>')}`);
    expect(none.text).toContain('No page has all of these words');
    expect(none.text).not.toContain('<script>nothing');
  });

  test.each(Object.entries(moved))(
    'lead from %s, which became a part of another page, to %s',
    async (former, present) => {
      const answer = await fetch(`${service.url}/below/docs/${former}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `/below/docs/${present}`]);
      const [path = '', anchor = ''] = present.split('#');
      expect((await get(`/docs/${path}`)).text).toContain(`id="${anchor}`);
    },
  );

  test.each(['/docs/nothing', '/docs/../server', '/docs/architecture/nothing'])('have no page at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

test('a sentence that names a page of the docs leads there', async () => {
  const headers = { 'content-type': 'application/json', authorization: `token ${service.adminToken}` };
  const { repos } = service.store;
  const path = '/below/api/v1/repos';
  const made = await fetch(service.url + path, {
    method: 'POST',
    headers,
    body: '{"repo":{"service":"github","name":"acme/lone"}}',
  });
  expect([made.status, await repos.findByName('github', 'acme/lone')]).toEqual([201, expect.anything()]);
  const preview = `${service.url}/below/api/v1/preview?repo=github/acme/lone`;
  const asked = await fetch(preview, { method: 'POST', headers, body: 'x' });
  expect(await asked.json()).toMatchObject({
    message: expect.stringContaining('https://coverage.example/below/docs/api, "Preview"'),
  });
  const found = await fetch(`${service.url}/below/readyz?verbose`, { headers });
  expect(await found.text()).toContain('(https://coverage.example/below/docs/hosts)');
});
