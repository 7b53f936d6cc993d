import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createGitlabHook } from './webhook.ts';

const KEY = Buffer.from('a key of thirty-two bytes or so!');
const SECRET = `whsec_${KEY.toString('base64')}`;
const body = Buffer.from('{}');

const message = (headers: Readonly<Record<string, string>>) => ({
  body,
  header: (name: string) => ({ 'X-Gitlab-Event': 'Note Hook', ...headers })[name],
});

test('with a signing token only the signature counts', async () => {
  const hook = createGitlabHook(SECRET);
  const signed = createHmac('sha256', KEY).update('id-1.1700000000.{}').digest('base64');
  const headers = { 'webhook-id': 'id-1', 'webhook-timestamp': '1700000000' };
  const right = message({ ...headers, 'webhook-signature': `v1,AAAA v1,${signed}` });
  expect(await hook.read(right)).toEqual({ name: 'Note Hook', event: undefined });
  const later = message({ ...headers, 'webhook-timestamp': '1700000001', 'webhook-signature': `v1,${signed}` });
  // The right length in characters alone, or by its bytes alone, is no signature either.
  const others = [`v1,${'\u00e9'.repeat(44)}`, `v1,${'\u00e9'.repeat(22)}`, `v1,${signed}=`, 'a '.repeat(8_000)];
  const wrong = others.map((sent) => message({ ...headers, 'webhook-signature': sent }));
  for (const refused of [later, ...wrong])
    await expect(hook.read(refused)).rejects.toMatchObject({ code: 'credential-unknown' });
  await expect(hook.read(message({ 'X-Gitlab-Token': SECRET }))).rejects.toMatchObject({
    code: 'credential-missing',
    message: expect.stringContaining('webhook-signature is missing'),
  });
});
