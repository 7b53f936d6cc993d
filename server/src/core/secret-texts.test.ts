import { expect, test } from 'vitest';
import { knownSecretTexts } from '../compose/hosts.ts';

const ADMIN_TOKEN = '0123456789abcdef0123456789ABCDEF';
const { find } = knownSecretTexts({ secretValues: [ADMIN_TOKEN, 'coverage', 'a-webhook-secret-of-24ch'] });

test.each([
  [`x cvr_${'a'.repeat(43)}`, 'a repo token of this service'],
  [`%2Fcvp_${'a-_'.repeat(14)}`, 'a personal token of this service'],
  [`mycvb_${'a'.repeat(43)}`, 'a badge token of this service'],
  [`ghs_${'a0'.repeat(18)}`, 'a GitHub token'],
  [`github_pat_${'a0'.repeat(30)}`, 'a GitHub token'],
  ['eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ', 'a JSON web token'],
  [`x-----BEGIN RSA PRIVATE KEY-----\n${'aB+/'.repeat(16)}\n`, 'a private key'],
  [encodeURIComponent(`-----BEGIN PRIVATE KEY-----\n${'aB+/'.repeat(16)}`), 'a private key'],
  [`x${ADMIN_TOKEN}`, 'a secret of this server'],
  [encodeURIComponent(ADMIN_TOKEN), 'a secret of this server'],
])('%s holds %s', (text, kind) => {
  expect(find(text)).toBe(kind);
});

test.each([
  'cvr_pipeline_integration',
  'ghs_fixes',
  `weighs_${'everything-again-and-'.repeat(3)}`,
  'coverage of a word that somebody took for a secret',
  'a-webhook-secret-of-24ch in a sentence',
  ADMIN_TOKEN.slice(0, 31),
  '0123456789abcdef0123456789abcdef01234567',
])('%s holds none', (text) => {
  expect(find(text)).toBeUndefined();
});
