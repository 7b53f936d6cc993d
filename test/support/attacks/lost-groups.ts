import { setTimeout as wait } from 'node:timers/promises';
import { startOpenIdStandIn } from '../openid-stand-in/openid-stand-in.ts';
import { signInAtOpenId } from '../people.ts';
import { type Attack, atMost } from './attack.ts';

/** How long groups count at the attacked server, in ms. */
const MAX_AGE = 2_000;

/** An administrator by a group, who was taken out of it, continues by a session in use and by a token. */
export const lostGroups: Attack = {
  name: 'lost-groups',
  async run(start) {
    let url = '';
    const provider = await startOpenIdStandIn(() => [`${url}/sign-in/openid/callback`]);
    try {
      const { server } = await start({
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        OIDC_ALLOWED_DOMAINS: '*',
        OIDC_ADMIN_GROUP: 'ops',
        OIDC_GROUPS_MAX_AGE: `${MAX_AGE}ms`,
      });
      url = server.url;
      const claims = { email: 'mona@acme.example', email_verified: true };
      provider.visitAs('u-1', { ...claims, groups: ['ops'] });
      const { browser } = await signInAtOpenId(url, provider.issuer);
      await browser.get('/account/tokens');
      const { text } = await browser.send('/account/tokens', { name: 'laptop', expires: 'never' });
      const authorization = `token ${/cvp_[\w-]{43}/.exec(text)?.[0]}`;
      const ask = async (): Promise<readonly number[]> => [
        (await browser.get('/admin')).status,
        (await fetch(`${url}/readyz?verbose`, { headers: { authorization } })).status,
      ];
      const before = await ask();
      if (before.some((status) => status !== 200)) throw new Error(`the administrator was answered ${before.join()}`);
      provider.say('u-1', claims);
      await wait(MAX_AGE);
      const granted: number[] = [];
      for (let times = 0; times < 5; times += 1) granted.push(...(await ask()).filter((status) => status < 400));
      const attack = 'an administrator who lost the group, by a session and a token';
      return [atMost(0, { attack, of: 'granted after the stated time', measured: granted.length, unit: 'requests' })];
    } finally {
      await provider.close();
    }
  },
};
