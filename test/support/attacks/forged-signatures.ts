import { createHmac } from 'node:crypto';
import { allHosts, HOOK_SECRET } from './all-hosts.ts';
import { type Attack, atMost } from './attack.ts';

const BODY = JSON.stringify({ action: 'deleted', repository: { id: 1, full_name: 'acme/shop' } });
const EVENTS = { 'x-github-event': 'nothing', 'x-gitlab-event': 'Nothing Hook', 'x-gitea-event': 'nothing' };
const GITLAB = { 'webhook-id': 'a', 'webhook-timestamp': '1700000000' };

type Headers = Readonly<Record<string, string>>;
/** A message of a host, signed with a secret; `change`: what becomes of the text of its signature. */
type Sign = (secret: string, body: string, change: (signature: string) => string) => Headers;

const sign = (secret: string, body: string, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', secret).update(body).digest(encoding);
const signedIn =
  (header: string, start: string): Sign =>
  (secret, body, change) => ({ [header]: change(start + sign(secret, body)) });

const HOOKS: Readonly<Record<string, Sign>> = {
  github: signedIn('x-hub-signature-256', 'sha256='),
  gitlab: (secret, body, change) => ({
    'webhook-signature': change(`v1,${sign(secret, `${Object.values(GITLAB).join('.')}.${body}`, 'base64')}`),
  }),
  gitea: signedIn('x-gitea-signature', ''),
  forgejo: signedIn('x-gitea-signature', ''),
  bitbucket: signedIn('x-hub-signature', 'sha256='),
  stash: signedIn('x-hub-signature', 'sha256='),
};

const same = (text: string): string => text;
const FORGED: readonly ((signed: Sign) => Headers)[] = [
  () => ({}),
  (signed) => signed(HOOK_SECRET, BODY, () => ''),
  (signed) => signed(HOOK_SECRET, BODY, (text) => text.replace(/[^=,]*=?$/, '')),
  (signed) => signed('guessed', BODY, same),
  (signed) => signed('', BODY, same),
  (signed) => signed(HOOK_SECRET, '{}', same),
  (signed) => signed(HOOK_SECRET, BODY, (text) => text.slice(0, -1)),
  (signed) => signed(HOOK_SECRET, BODY, (text) => `${text}0`),
  () => ({ 'x-hub-signature': `sha1=${createHmac('sha1', HOOK_SECRET).update(BODY).digest('hex')}` }),
];

/** Webhooks that their git hosts have not signed, of every host. */
export const forgedSignatures: Attack = {
  name: 'forged-signatures',
  async run(start) {
    const { server } = await start(allHosts('http://127.0.0.1:9'));
    const isTaken = async (service: string, signature: Headers): Promise<boolean> => {
      const type = { 'content-type': 'application/json', 'x-event-key': 'repo:nothing' };
      const headers = { ...type, ...EVENTS, ...GITLAB, ...signature };
      const { ok } = await fetch(`${server.url}/hooks/${service}`, { method: 'POST', headers, body: BODY });
      return ok;
    };
    let [taken, refused] = [0, 0];
    for (const [service, signed] of Object.entries(HOOKS)) {
      for (const forge of FORGED) if (await isTaken(service, forge(signed))) taken += 1;
      if (!(await isTaken(service, signed(HOOK_SECRET, BODY, same)))) refused += 1;
    }
    const hosts = Object.keys(HOOKS).length;
    const attack = `${FORGED.length} forged signatures of webhooks, of ${hosts} hosts`;
    return [
      atMost(0, { attack, of: 'taken', measured: taken, unit: 'requests' }),
      atMost(0, { attack, of: 'right ones refused', measured: refused, unit: 'requests' }),
    ];
  },
};
