import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aRepo } from '../../../../test/support/build-history.ts';
import { systemTimers } from '../../platform/timers/system-timers.ts';
import { FIRST_PARENT_LIMIT, type FirstParents } from '../../ports/provider-facts.ts';
import type { FactStore } from '../../storage/store.ts';
import type { Answer, AskProvider } from './ask-provider.ts';
import { createDeadline } from './deadline.ts';
import { listAncestors } from './list-ancestors.ts';

/** A fact store in memory. */
function memory(): Pick<FactStore, 'find' | 'put'> {
  const facts = new Map<string, unknown>();
  return {
    find: async (repoId, key) => facts.get(`${repoId} ${key}`),
    put: async ({ repoId, key, value }) => void facts.set(`${repoId} ${key}`, JSON.parse(JSON.stringify(value))),
  };
}

/** A history `0`, `1`, ... of first parents; the provider tells `lengths` of them, call by call, then all. */
function scene(history: number, lengths: readonly (number | 'unavailable' | 'refused')[] = []) {
  const asked: string[] = [];
  const tell = (from: number, limit: number, told: number): FirstParents | undefined => {
    if (from >= history) return undefined;
    const count = Math.min(limit, told, history - 1 - from);
    const commits = Array.from({ length: count }, (_, step) => String(from + 1 + step));
    if (from + count === history - 1 && count < limit) return { commits, end: 'root' };
    return { commits, end: count === limit ? 'limit' : 'cut' };
  };
  const askProvider: AskProvider = async ({ ask }) => {
    const length = lengths[asked.length] ?? FIRST_PARENT_LIMIT;
    const provider = {
      listFirstParents: async ({ commit, limit }: { commit: string; limit: number }) => {
        asked.push(commit);
        return typeof length === 'string' ? undefined : tell(Number(commit), limit, length);
      },
    };
    const value = await ask(provider as unknown as Parameters<typeof ask>[0]);
    return (length === 'unavailable' ? { kind: 'unavailable' } : { kind: 'answer', value }) as Answer<never>;
  };
  const services = { facts: memory(), askProvider, clock: { now: () => 1 } };
  const repo = aRepo();
  return {
    asked,
    list: async (beyond: number, commit = '0') => {
      const deadline = createDeadline(systemTimers, 1_000);
      const answer = await listAncestors(services, { repo, commit, beyond, deadline });
      return answer.kind === 'answer' ? answer.value : answer.kind;
    },
  };
}

const first = (count: number): readonly string[] => Array.from({ length: count }, (_, step) => String(step + 1));

describe('ancestors', () => {
  test('are asked for once', async () => {
    const { asked, list } = scene(50);
    expect(await list(0)).toEqual({ commits: first(49), more: false });
    expect(await list(0)).toEqual({ commits: first(49), more: false });
    expect(await list(49)).toEqual({ commits: first(49), more: false });
    expect(asked).toEqual(['0']);
  });

  test('are asked for from where the last call ended, only where those are not enough', async () => {
    const { asked, list } = scene(500, [30, 30]);
    expect(await list(0)).toEqual({ commits: first(30), more: true });
    expect(await list(0)).toEqual({ commits: first(30), more: true });
    expect(await list(30)).toEqual({ commits: first(60), more: true });
    expect(await list(30)).toEqual({ commits: first(60), more: true });
    expect(await list(60)).toEqual({ commits: first(100), more: false });
    expect(asked).toEqual(['0', '30', '60']);
  });

  test('that are not told for now are asked for again, and what was told before stays', async () => {
    const { asked, list } = scene(500, [30, 'unavailable']);
    await list(0);
    expect(await list(30)).toBe('unavailable');
    expect(await list(0)).toEqual({ commits: first(30), more: true });
    expect(await list(30)).toEqual({ commits: first(100), more: false });
    expect(asked).toEqual(['0', '30', '30']);
  });

  test('that are refused for once are none for now, and asked for again', async () => {
    const { asked, list } = scene(500, [30, 'refused']);
    await list(0);
    expect(await list(30)).toEqual({ commits: first(30), more: false });
    expect(await list(30)).toEqual({ commits: first(100), more: false });
    expect(asked).toEqual(['0', '30', '30']);
  });

  test('end where the provider knows nothing beyond', async () => {
    const { list } = scene(500, [30, 0]);
    await list(0);
    expect(await list(30)).toEqual({ commits: first(30), more: false });
  });

  test('of an unknown commit are none, and it may become known', async () => {
    const { asked, list } = scene(5);
    expect(await list(0, '9')).toEqual({ commits: [], more: false });
    await list(0, '9');
    expect(asked).toEqual(['9', '9']);
  });

  test('come to the same in however many calls', async () => {
    const calls = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 250 }), calls, async (history, lengths) => {
        const { asked, list } = scene(history, lengths);
        let known = await list(0);
        while (known !== 'unavailable' && known.more) known = await list(known.commits.length);
        expect(known).toEqual({ commits: first(Math.min(history - 1, FIRST_PARENT_LIMIT)), more: false });
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });
});
