import { setTimeout as wait } from 'node:timers/promises';
import { type AttackedServer, startAttacked } from '../fuzz/hostile-load.ts';
import type { Attack, Outcome } from './attack.ts';
import { ATTACKS } from './attacks.ts';

/** Milliseconds for one attack, which takes a minute at most where nothing else runs. */
const TIME_LIMIT = 600_000;

/**
 * Runs every attack, or those that are named, one after the other, and prints a table in Markdown. False if something
 * did not hold.
 */
export async function runAttacks(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0)
    throw new Error(
      `No attack is called ${unknown.join(', ')}; there are ${ATTACKS.map(({ name }) => name).join(', ')}`,
    );
  const wanted = ATTACKS.filter(({ name }) => names.length === 0 || names.includes(name));
  console.log('| attack | must hold | measured | result |\n| --- | --- | --- | --- |');
  const outcomes: Outcome[] = [];
  for (const attack of wanted) {
    const found = await runAttack(attack);
    for (const { attack: what, mustHold, measured, passed } of found)
      console.log(`| ${what} | ${mustHold} | ${measured} | ${passed ? 'pass' : 'FAIL'} |`);
    outcomes.push(...found);
  }
  const failed = outcomes.filter(({ passed }) => !passed).length;
  console.log(`\n${outcomes.length} checked, ${failed} did not hold`);
  return outcomes.length > 0 && failed === 0;
}

async function runAttack({ name, run }: Attack): Promise<readonly Outcome[]> {
  const servers: AttackedServer[] = [];
  const late = new AbortController();
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<AttackedServer> => {
    const attacked = await startAttacked(env);
    servers.push(attacked);
    return attacked;
  };
  try {
    const limit = wait(TIME_LIMIT, undefined, { signal: late.signal }).then(() => {
      // What it still asks of its server fails once that is ended, and the attacks after it go on.
      process.on('unhandledRejection', () => {});
      throw new Error(`not over after ${TIME_LIMIT / 1_000} s`);
    });
    return await Promise.race([run(start), limit]);
  } catch (error) {
    return [{ attack: name, mustHold: 'it can be run', measured: String(error), passed: false }];
  } finally {
    late.abort();
    await Promise.all(servers.map(({ server }) => server.dispose()));
  }
}
