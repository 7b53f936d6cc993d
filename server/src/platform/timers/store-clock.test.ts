import { describe, expect, test } from 'vitest';
import { createLogbook } from '../../../../test/support/logbook.ts';
import { createStoreClock } from './store-clock.ts';

const T0 = 1_800_000_000_000;

describe('the clock of a store that several processes share', () => {
  const scene = (behind: number, delays: readonly number[]) => {
    let machine = T0;
    let asked = 0;
    const log = createLogbook();
    const clock = createStoreClock({
      machine: { now: () => machine },
      logger: log,
      readStoreTime: async () => {
        const delay = delays[asked % delays.length] ?? 0;
        asked += 1;
        // The answer is long on its way back.
        machine += delay / 2;
        const storeTime = machine + behind;
        machine += delay / 2;
        return storeTime;
      },
    });
    return { clock, log, machine: () => machine };
  };

  test('shows the machine’s time until it was adjusted, then the store’s', async () => {
    const { clock, machine } = scene(90_000, [10]);
    expect(clock.now()).toBe(machine());
    await clock.adjust();
    expect(clock.now()).toBe(machine() + 90_000);
  });

  test('trusts the quickest answer', async () => {
    const { clock, machine } = scene(-5_000, [800, 4, 300]);
    await clock.adjust();
    expect(clock.now()).toBe(machine() - 5_000);
  });

  test('says so when the machine is off, once', async () => {
    const { clock, log } = scene(60_000, [2]);
    await clock.adjust();
    await clock.adjust();
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    const exact = scene(1, [2]);
    await exact.clock.adjust();
    expect(exact.log.lines).toEqual([]);
  });
});
