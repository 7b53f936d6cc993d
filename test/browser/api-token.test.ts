import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson } from '../support/people.ts';
import { someOf } from '../support/property-runs.ts';
import { type Service, startService } from '../support/service.ts';
import { openTabOf, startBrowser } from './browser.ts';
import { curl } from './people-scene.ts';

let service: Service;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  await newPerson(service, 'alice');
});
afterAll(() => Promise.all([service?.stop(), browser?.close()]));

const UPLOAD = JSON.stringify({
  ...{ service_name: 'manual', service_number: '1', commit_sha: '1'.repeat(40) },
  git: { branch: 'main', head: { message: 'Sell tea' } },
  source_files: [{ name: 'src/tea.ts', source_digest: '0'.repeat(32), coverage: [1, 0, null, 1, 1] }],
});

const WAYS: readonly (readonly [string, boolean])[] = [
  ['with script', true],
  ['without script', false],
];

test.each(someOf(WAYS, 1))(
  'a personal token makes a repo by curl, whose page says how to upload; %s',
  async (_, script) => {
    const { page, complaints, context } = await openTabOf(browser, service, 'alice', { script });
    const name = script ? 'acme/tea' : 'acme/coffee';
    await page.goto(`${service.url}/account/tokens`);
    await page.getByLabel('Name').fill('laptop');
    await page.getByLabel('Expires').selectOption('in 30 days');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.locator('.secret').innerText();
    const copy = page.getByRole('button', { name: 'Copy' });
    expect(await copy.count()).toBe(script ? 1 : 0);
    if (script) {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await copy.click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    }

    const signed = ['--header', `Authorization: token ${token}`, '--header', 'Content-Type: application/json'];
    const fields = JSON.stringify({ repo: { service: 'manual', name } });
    const made = await curl(...signed, '--data', fields, `${service.url}/api/v1/repos`);
    expect(made.status).toBe(201);

    await page.goto(`${service.url}/manual/${name}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Set up ${name}`);
    const repoToken = await page.locator('.secret').innerText();
    expect(JSON.parse(made.text).repo.token).toBe(repoToken);
    const upload = JSON.stringify({ ...JSON.parse(UPLOAD), repo_token: repoToken });
    const sent = await curl('--form', `json_file=${upload};filename=job.json`, `${service.url}/api/v1/jobs`);
    expect(sent.status).toBe(200);
    const job = await service.api.jobJson(JSON.parse(sent.text).url);
    await service.closed(job.json.build);
    await page.reload();
    expect(await page.getByRole('region', { name: 'Coverage' }).innerText()).toContain('75.00%');

    await page.goto(`${service.url}/account/tokens`);
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole('row', { name: 'laptop' });
    expect(await row.innerText()).toContain(token.slice(0, 6));
    await row.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByText('No tokens yet.').waitFor();
    expect((await curl(...signed, `${service.url}/api/v1/repos`)).status).toBe(401);
    expect(complaints()).toEqual([]);
    await context.close();
  },
);
