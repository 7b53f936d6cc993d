import { expect, test } from 'vitest';
import { redactJwt } from './calls.ts';
import { openClient } from './octokit-client.ts';
import { OPERATIONS } from './operations.ts';
import { explainRefusal, isAccessDenied, type Refusal } from './refusal.ts';
import { BY_INSTALLATION, BY_TOKEN } from './sign-in.ts';

const JWT = 'eyJhbGciOi.eyJpc3MiOi_-.c2ln-_bmF0dXJl';

test.each([
  [`Bad ${JWT}.`, 'Bad [token].'],
  [`"${JWT}", twice: ${JWT}`, '"[token]", twice: [token]'],
  ['eyJhbGciOi alone, and file.name.ts', 'eyJhbGciOi alone, and file.name.ts'],
  ['eyJe'.repeat(50_000), 'eyJe'.repeat(50_000)],
  [`${'eyJe'.repeat(50_000)}.eyJ.x`, '[token]'],
])('no JSON web token stays in a text', (text, expected) => {
  expect(redactJwt(text)).toBe(expected);
});

const refusal = (message: string): Refusal => ({ status: 403, headers: {}, message, problems: [] });

test.each([
  ['This installation has been suspended', true],
  ['INSTALLATION SUSPENDED', true],
  ['suspended installation', false],
  ['USPENDEDINSTALLATION'.repeat(20_000), false],
  [`${'USPENDEDINSTALLATION'.repeat(20_000)}SUSPENDED`, true],
])('whether an installation is suspended, case %#', (message, expected) => {
  expect(isAccessDenied(refusal(message), OPERATIONS.setStatus)).toBe(expected);
});

test('a refusal of any length is explained in a line', () => {
  const call = { operation: OPERATIONS.setStatus, signIn: BY_TOKEN, redact: redactJwt };
  expect(explainRefusal(refusal('installation '.repeat(50_000)), call).length).toBeLessThan(500);
});

test.each([
  ['`statuses: write` (classic: `repo:status`)', '`statuses: write`'],
  [`x${' (classic:'.repeat(50_000)}`, `x${' (classic:'.repeat(50_000)}`],
])('an App has no classic scopes, case %#', (permission, named) => {
  expect(BY_INSTALLATION.needs(permission)).toContain(`it needs ${named} for this repo`);
});

test.each([
  ['https://api.github.com', 'https://api.github.com'],
  ['https://host/api/v3/', 'https://host/api/v3'],
  [`https://host${'/'.repeat(100_000)}`, 'https://host'],
  [`https://host${'/'.repeat(100_000)}x`, `https://host${'/'.repeat(100_000)}x`],
])('the address of the API without slashes at its end, case %#', (apiUrl, expected) => {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const client = openClient({ apiUrl, auth: 'ghs_token', logger });
  expect(client.request.endpoint.DEFAULTS.baseUrl).toBe(expected);
});
