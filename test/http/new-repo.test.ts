import { afterAll, beforeAll, expect, test } from 'vitest';
import { job } from '../support/coverage-api.ts';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const FORM = '/repos/new';

test('a signed-in person creates a repo with a form, and its page shows the token and what to do with it', async () => {
  await newPerson(service, 'ada');
  const ada = await signedIn(service, 'ada');
  expect((await ada.get('/')).text).toContain(`href="${FORM}"`);
  expect((await ada.get(FORM)).text).not.toContain('value="github"');
  const forged = await ada.send(FORM, { service: 'manual', name: 'ada/shop', csrf: 'no' });
  expect(forged.status).toBe(403);
  const made = await ada.send(FORM, { service: 'manual', name: ' ada/shop ' });
  expect([made.status, made.location]).toEqual([303, '/manual/ada/shop']);
  const { text } = await ada.get('/manual/ada/shop');
  const tokens = text.match(/cvr_[\w-]{20,}/g) ?? [];
  expect([tokens.length, text.includes(`COVERALLS_HOST=${service.url}`)]).toEqual([1, true]);
  await service.uploadAlone(job({ repo_token: tokens[0] ?? '' }));
  expect((await ada.get('/manual/ada/shop')).text).not.toContain(tokens[0]);
  expect((await ada.get('/')).text).toContain(`href="${FORM}"`);
});

test('what cannot be made is said on the form, which keeps what was typed', async () => {
  await service.newRepo({ name: 'taken/hidden' });
  await newPerson(service, 'grace');
  await newPerson(service, 'barbara', true);
  const [grace, admin] = [await signedIn(service, 'grace'), await signedIn(service, 'barbara')];
  await grace.get(FORM);
  const wrong = await grace.send(FORM, { service: 'manual', name: 'no <b>' });
  expect([wrong.status, wrong.text.includes('value="no &lt;b>"')]).toEqual([422, true]);
  expect(wrong.text).toContain('repo.name must be &lt;owner>/&lt;name>');
  // Another's private repo and one that only an administrator can make are answered alike.
  for (const [of, name] of [
    ['github', 'acme/shop'],
    ['manual', 'taken/hidden'],
  ] as const) {
    const refused = await grace.send(FORM, { service: of, name });
    expect([refused.status, refused.text.includes(`Only an administrator can create a ${of} repo`)]).toEqual([
      403,
      true,
    ]);
  }
  await admin.get(FORM);
  expect((await admin.send(FORM, { service: 'github', name: 'acme/shop' })).location).toBe('/github/acme/shop');
  expect((await admin.send(FORM, { service: 'github', name: 'Acme/Shop' })).status).toBe(409);
  expect((await admin.send(FORM, { service: 'dance', name: 'acme/shop' })).status).toBe(422);
});

test('a stranger is led to the sign-in and back', async () => {
  const stranger = await service.api.send(FORM, { redirect: 'manual' });
  expect([stranger.status, stranger.headers.get('location')]).toEqual([302, '/sign-in?next=%2Frepos%2Fnew']);
});
