import { afterAll, beforeAll, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A repo below its minimum, and the browser of somebody who may administer it. */
async function scene(user: string) {
  const repo = await service.newRepo({ commit_status_fail_threshold: 90 });
  const build = await service.uploadAlone(job({ repo_token: repo.token }));
  await newPerson(service, user, true);
  return { page: `/manual/${repo.name}`, build, browser: await signedIn(service, user) };
}

test('settings are changed by the form of a page, and by no form without its token', async () => {
  const { page, browser } = await scene('ada');
  const shown = await browser.get(`${page}/settings`);
  expect(shown.status).toBe(200);
  const minimum = async () =>
    (
      await service.api.send<{ commit_status_fail_threshold: number }>(`/api/v1/repos${page}`, {
        headers: { authorization: `token ${service.adminToken}` },
      })
    ).json.commit_status_fail_threshold;
  const fields = formFields(shown.text, 'minimum');
  const forged = await browser.send(`${page}/settings`, { ...fields, minimum: '10', csrf: 'no' });
  expect([forged.status, await minimum()]).toEqual([403, 90]);
  const foreign = await browser.send(`${page}/settings`, fields, { 'sec-fetch-site': 'cross-site' });
  expect(foreign.status).toBe(403);
  const changed = await browser.send(`${page}/settings`, { ...fields, minimum: '55' });
  expect([changed.status, await minimum()]).toEqual([303, 55]);
});

test('a failure is accepted, and taken back, by the form of its page', async () => {
  const { build, browser } = await scene('grace');
  expect(build.verdict?.state).toBe('failure');
  const path = `/builds/${build.id}`;
  expect((await browser.get(path)).text).toContain(`action="${path}/accept"`);
  const fields = { reason: 'the old API goes next week' };
  expect((await browser.send(`${path}/accept`, { ...fields, csrf: 'no' })).status).toBe(403);
  expect((await browser.send(`${path}/accept`, fields)).status).toBe(303);
  const accepted = await service.closed(build.id);
  expect(accepted.verdict).toMatchObject({ state: 'failure', accepted: true });
  expect((await browser.get(path)).text).toContain('the old API goes next week');
  expect((await browser.send(`${path}/accept/undo`, {})).status).toBe(303);
  expect((await service.closed(build.id)).verdict).not.toHaveProperty('accepted');
});

test('what was given up is tried again by the form of the administration, and nobody else sees it', async () => {
  const { browser } = await scene('edsger');
  expect((await browser.get('/admin')).status).toBe(200);
  await browser.get('/account/tokens');
  expect((await browser.send('/admin', { do: 'announce' })).status).toBe(303);
  expect((await browser.send('/admin', { do: 'announce', csrf: 'no' })).status).toBe(403);
  await newPerson(service, 'barbara');
  const other = await signedIn(service, 'barbara');
  await other.get('/account/tokens');
  expect([(await other.get('/admin')).status, (await other.send('/admin', { do: 'announce' })).status]).toEqual([
    403, 403,
  ]);
});

/** The fields of the form that has a field of this name, as a browser would send them unchanged. */
function formFields(html: string, name: string): Record<string, string> {
  const form = html.split('<form').find((part) => part.includes(`name="${name}"`)) ?? '';
  const fields: Record<string, string> = {};
  for (const [tag] of form.split('</form>')[0]?.matchAll(/<(?:input|button)[^>]*>/g) ?? []) {
    const [, field] = /\bname="([^"]*)"/.exec(tag) ?? [];
    const isChoice = /type="(?:checkbox|radio)"/.test(tag);
    const [, value = isChoice ? 'on' : ''] = /\bvalue="([^"]*)"/.exec(tag) ?? [];
    const isLeftOut = isChoice && !/\bchecked/.test(tag);
    if (field !== undefined && !isLeftOut && !(field in fields)) fields[field] = value;
  }
  return fields;
}
