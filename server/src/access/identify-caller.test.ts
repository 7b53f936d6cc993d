import { expect, test } from 'vitest';
import { GITHUB } from '../../../test/support/hosts.ts';
import { listHosts } from '../core/repo/git-host.ts';
import type { Services } from '../services/services.ts';
import { identifyCaller } from './identify-caller.ts';

const BLANKS = ' '.repeat(15_800);

const services = {
  tokens: { findByHash: async () => undefined },
  secrets: { hash: (text: string) => text, equal: (a: string, b: string) => a === b },
  clock: { now: () => 0 },
  config: { adminToken: 'secret', adminGroup: undefined },
  hosts: listHosts([GITHUB]),
} as unknown as Services;

const identify = (authorization: string) => identifyCaller(services, { authorization, repoToken: undefined });

test.each(['token secret', 'Bearer secret', 'TOKEN \t secret \t', `bearer${BLANKS}secret${BLANKS}`])(
  'takes the token of a header, case %#',
  async (authorization) => {
    expect(await identify(authorization)).toEqual({ kind: 'user', user: '(ADMIN_TOKEN)', role: 'administrator' });
  },
);

test.each([
  [`token a${BLANKS}b`, 'holds a text that is no token of this service'],
  [`token${BLANKS}`, 'has the scheme token and no token'],
  [`${BLANKS}secret`, 'has no scheme before its token'],
  ['secret', 'has no scheme before its token'],
  [`Basic${BLANKS}x`, 'has the scheme "Basic"'],
])('refuses another header, case %#', async (authorization, sentence) => {
  await expect(identify(authorization)).rejects.toMatchObject({
    code: 'credential-unknown',
    message: expect.stringContaining(sentence),
  });
});
