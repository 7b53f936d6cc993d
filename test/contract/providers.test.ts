import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { createGithubAppProvider } from '../../server/src/providers/github/app-provider.ts';
import { createGithubProvider } from '../../server/src/providers/github/github-provider.ts';
import { systemTimers } from '../../server/src/workers/system-timers.ts';
import { createFakeHost } from '../support/fake-provider/fake-host.ts';
import { startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { createLogbook } from '../support/logbook.ts';
import { describeProvider } from './provider-contract.ts';

describeProvider('GitHub', async () => {
  const person = { login: 'coverage-bot', kind: 'user', access: 'write' } as const;
  const app = { login: 'coverage[bot]', kind: 'installation', access: 'write' } as const;
  const host = await startGithubStandIn({ tokens: { person, app } });
  const connect = (token: string) =>
    createGithubProvider({
      apiUrl: host.url,
      token,
      clock: { now: Date.now },
      timers: systemTimers,
      logger: createLogbook(),
      retryPause: 1,
    });
  return {
    host,
    provider: connect('person'),
    plainProvider: connect('person'),
    appProvider: connect('app'),
    async close() {
      const violations = host.violations();
      await host.close();
      expect(violations).toEqual([]);
    },
  };
});

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describeProvider('GitHub, signed in as an App', async () => {
  const host = await startGithubStandIn();
  host.addApp({ id: 1_234, slug: 'coverage', publicKey: keys.publicKey });
  for (const owner of ['acme', 'acme-group', 'mona']) host.installApp({ app: 1_234, owner });
  const connection = {
    apiUrl: host.url,
    clock: { now: Date.now },
    timers: systemTimers,
    logger: createLogbook(),
    retryPause: 1,
  };
  const { provider } = createGithubAppProvider({ ...connection, app: { id: 1_234, privateKey } });
  return {
    host,
    provider,
    plainProvider: createGithubProvider({ ...connection, token: host.token }),
    appProvider: provider,
    async close() {
      const violations = host.violations();
      await host.close();
      expect(violations).toEqual([]);
    },
  };
});

describeProvider('a host in memory', async () => {
  const host = createFakeHost();
  return {
    host,
    provider: host.provider,
    plainProvider: host.provider,
    appProvider: host.appProvider,
    close: async () => {},
  };
});
