import { expect } from 'vitest';
import { createGithubProvider } from '../../server/src/providers/github/github-provider.ts';
import { createFakeHost } from '../support/fake-provider/fake-host.ts';
import { startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { createLogbook } from '../support/logbook.ts';
import { describeProvider } from './provider-contract.ts';

describeProvider('GitHub', async () => {
  const person = { login: 'coverage-bot', kind: 'user', access: 'write' } as const;
  const app = { login: 'coverage[bot]', kind: 'installation', access: 'write' } as const;
  const host = await startGithubStandIn({ tokens: { person, app } });
  const connect = (token: string) =>
    createGithubProvider({ apiUrl: host.url, token, clock: { now: Date.now }, logger: createLogbook(), retryPause: 1 });
  return {
    host,
    provider: connect('person'),
    appProvider: connect('app'),
    async close() {
      const violations = host.violations();
      await host.close();
      expect(violations).toEqual([]);
    },
  };
});

describeProvider('a host in memory', async () => {
  const host = createFakeHost();
  return { host, provider: host.provider, appProvider: host.appProvider, close: async () => {} };
});
