import { Failure } from '../../../server/src/core/failure.ts';
import { type HostRuns, type HostTokens, USUAL_TERMS } from '../../../server/src/core/repo/git-host.ts';
import type { Host } from '../../../server/src/ports/host.ts';
import type { HostWebhook } from '../../../server/src/ports/provider-events.ts';
import type { FakeHost } from './fake-host.ts';

/** Signs the messages of a host in memory: their header `X-Fake-Secret`. */
export const FAKE_SECRET = 'secret-of-the-fake-host';

/** The host in memory as a second host beside GitHub, with words and forms of its own. */
export function fakeModule(host: FakeHost): Host {
  return {
    service: 'gitlab',
    name: 'Memory',
    provider: host.provider,
    app: undefined,
    appSetup: undefined,
    credential: 'MEMORY_TOKEN',
    checkRuns: undefined,
    accessLosses: { uninstalled: 'gone', suspended: 'halted', deselected: 'taken out' },
    terms: USUAL_TERMS,
    refs: {
      pullRequestOf: (ref) => numberIn(/^refs\/merge-requests\/([1-9]\d{0,8})\/head$/, ref),
      queueOf: () => undefined,
    },
    runs: RUNS,
    tokens: TOKENS,
    webhook: WEBHOOK,
    signIn: undefined,
    idTokens: undefined,
    checkUp: async () => ({
      address: 'https://memory.example',
      clocks: { host: host.now(), ours: Date.now() },
      signIn: { kind: 'token', rights: ['api'], missing: [] },
      rateLimit: undefined,
    }),
    openTokenView: () => ({
      readRepo: async ({ repo }) => {
        const facts = await host.provider.describeRepo({ repo });
        return facts && { id: facts.id, name: facts.name, mayPush: true };
      },
      findInstalled: async () => ({ repo: undefined, covered: 0 }),
      readRun: (call) => host.provider.readRun(call),
      describeCommit: (call) => host.provider.describeCommit(call),
      describePullRequest: (call) => host.provider.describePullRequest(call),
    }),
    linksOf: (repo) => ({
      lines: ({ commit, file, first, last }) => `https://memory.example/${repo}/${commit}/${file}#${first}-${last}`,
      pull: (number) => `https://memory.example/${repo}/pulls/${number}`,
    }),
  };
}

const RUNS: HostRuns = {
  serviceName: 'memory-ci',
  isServiceName: (text) => text === 'memory-ci',
  isRunId: (text) => /^[1-9]\d{0,8}$/.test(text),
  forkProof: 'run-id',
  isPageOf: (url, runId) => url.endsWith(`/pipelines/${runId}`),
  triggerOf: (event) => (event === 'merge_request_event' ? 'pull-request' : event === 'push' ? 'push' : 'other'),
  botWithoutSecrets: () => undefined,
};

const TOKENS: HostTokens = {
  kindOf: (token) => (/^mem-[\w-]{1,100}$/.test(token) ? 'person' : undefined),
  describe: (token) => (token.startsWith('mem-') ? 'a token of Memory' : undefined),
  words: {
    accepted: 'a personal token',
    ofJob: "a job's MEMORY_JOB_TOKEN",
    runId: 'MEMORY_PIPELINE_ID',
    commit: 'MEMORY_COMMIT',
    mayPush: 'access level',
    covered: 'GET /projects',
    seeRun: 'The job must belong to the repo.',
    needs: 'A token needs the scope read.',
    address: 'MEMORY_URL',
  },
};

/** Its messages are the events themselves. */
const WEBHOOK: HostWebhook = {
  hasSecret: true,
  bodyLimit: 100_000,
  checkHeaders({ header }) {
    if (header('X-Fake-Secret') === undefined) throw new Failure('credential-missing', 'X-Fake-Secret is missing.');
  },
  async read({ header, body }) {
    if (header('X-Fake-Secret') !== FAKE_SECRET) throw new Failure('credential-unknown', 'X-Fake-Secret is wrong.');
    const event = JSON.parse(Buffer.from(body).toString());
    return { name: event.kind, event };
  },
};

function numberIn(pattern: RegExp, text: string): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
