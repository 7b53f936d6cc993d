import { createHmac } from 'node:crypto';
import { type Attack, atMost } from './attack.ts';

const BODY = JSON.stringify({ action: 'deleted', repository: { id: 1, full_name: 'acme/shop' } });
const SECRET = 'known-to-the-git-host-alone-0123456789';
const signed = (algorithm: string, secret: string, body = BODY): string =>
  createHmac(algorithm, secret).update(body).digest('hex');

const FORGED: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ['none', {}],
  ['empty', { 'x-hub-signature-256': '' }],
  ['no digest', { 'x-hub-signature-256': 'sha256=' }],
  ['of another secret', { 'x-hub-signature-256': `sha256=${signed('sha256', 'guessed')}` }],
  ['of an empty secret', { 'x-hub-signature-256': `sha256=${signed('sha256', '')}` }],
  ['of another body', { 'x-hub-signature-256': `sha256=${signed('sha256', SECRET, '{}')}` }],
  ['cut', { 'x-hub-signature-256': `sha256=${signed('sha256', SECRET).slice(0, 63)}` }],
  ['lengthened', { 'x-hub-signature-256': `sha256=${signed('sha256', SECRET)}0` }],
  ['SHA-1 alone', { 'x-hub-signature': `sha1=${signed('sha1', SECRET)}` }],
];

/** A webhook that its git host has not signed. */
export const forgedSignatures: Attack = {
  name: 'forged-signatures',
  async run(start) {
    const { server } = await start({ GITHUB_WEBHOOK_SECRET: SECRET });
    const taken: string[] = [];
    for (const [what, headers] of FORGED) {
      const answer = await fetch(`${server.url}/hooks/github`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-github-event': 'repository', ...headers },
        body: BODY,
      });
      if (answer.status < 400) taken.push(what);
    }
    const attack = `${FORGED.length} forged signatures of a webhook`;
    return [atMost(0, { attack, of: 'taken', measured: taken.length, unit: 'requests' })];
  },
};
