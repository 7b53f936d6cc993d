import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../../test/support/build-history.ts';
import { createLogbook } from '../../../../test/support/logbook.ts';
import { systemTimers } from '../../platform/timers/system-timers.ts';
import { type Provider, ProviderFailure } from '../../ports/provider.ts';
import { createAskProvider } from './ask-provider.ts';
import { createDeadline } from './deadline.ts';

function scene(provider: Provider | undefined = {} as Provider) {
  const stored = new Map<string, unknown>();
  const log = createLogbook();
  const askProvider = createAskProvider({
    facts: { find: async (_, key) => stored.get(key), put: async ({ key, value }) => void stored.set(key, value) },
    providerOf: () => provider,
    clock: { now: () => 1 },
    logger: log,
  });
  let asked = 0;
  const ask = (answer: () => Promise<string | undefined>, key?: string, limit = 1_000) =>
    askProvider({
      repo: aRepo(),
      deadline: createDeadline(systemTimers, limit),
      ...(key === undefined ? {} : { key }),
      ask: () => {
        asked += 1;
        return answer();
      },
    });
  return { ask, stored, log, asked: () => asked };
}

describe('a question to a provider', () => {
  test('with a key is asked once, on whatever instance', async () => {
    const { ask, asked, stored } = scene();
    for (let n = 0; n < 2; n += 1) expect(await ask(async () => 'x', 'k')).toEqual({ kind: 'answer', value: 'x' });
    expect(asked()).toBe(1);
    expect([...stored]).toEqual([['k', 'x']]);
  });

  test('without a key, or that has no answer yet, is asked again', async () => {
    const { ask, asked, stored } = scene();
    await ask(async () => 'x');
    await ask(async () => 'x');
    for (let n = 0; n < 2; n += 1)
      expect(await ask(async () => undefined, 'k')).toEqual({ kind: 'answer', value: undefined });
    expect([asked(), stored.size]).toEqual([4, 0]);
  });

  test('that nobody can be asked is answered: nothing is known', async () => {
    const askProvider = createAskProvider({
      facts: { find: async () => undefined, put: async () => undefined },
      providerOf: () => undefined,
      clock: { now: () => 1 },
      logger: createLogbook(),
    });
    const ask = async () => 'x';
    const answer = await askProvider({ repo: aRepo(), deadline: createDeadline(systemTimers, 1_000), ask });
    expect(answer).toEqual({ kind: 'answer', value: undefined });
  });

  test.each(['transient', 'uncertain', 'limited'] as const)('that fails for now (%s) lacks an answer', async (kind) => {
    const { ask, log } = scene();
    expect(await ask(() => Promise.reject(new ProviderFailure(kind, 'away')))).toEqual({ kind: 'unavailable' });
    expect(log.lines).toHaveLength(1);
  });

  test('that takes too long lacks an answer', async () => {
    const { ask } = scene();
    expect(await ask(() => new Promise(() => undefined), undefined, 20)).toEqual({ kind: 'unavailable' });
  });

  test('that is refused is answered: waiting gives no right', async () => {
    const { ask, log, stored } = scene();
    const refused = () => Promise.reject(new ProviderFailure('permanent', 'no access', { status: 403 }));
    expect(await ask(refused, 'k')).toEqual({ kind: 'answer', value: undefined });
    expect(log.text()).toContain('refuses to answer');
    expect(stored.size).toBe(0);
  });

  test('has no answer where the provider denies access, and says why', async () => {
    const { ask, stored } = scene();
    const accessDenied = () =>
      Promise.reject(new ProviderFailure('permanent', 'The App is suspended.', { status: 403, accessDenied: true }));
    expect(await ask(accessDenied, 'k')).toEqual({ kind: 'unavailable', refusal: 'The App is suspended.' });
    expect(stored.size).toBe(0);
    const away = () => Promise.reject(new ProviderFailure('transient', 'away'));
    expect(await ask(away, 'k')).toEqual({ kind: 'unavailable', refusal: undefined });
  });

  test('whose code is wrong is a bug', async () => {
    await expect(scene().ask(() => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
  });
});

test('several questions share one deadline', async () => {
  const deadline = createDeadline(systemTimers, 40);
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 30));
  await deadline(slow);
  await expect(deadline(slow)).rejects.toThrow('no answer within 40 ms');
});
