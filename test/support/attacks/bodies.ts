import { type Answered, attackWithEverything, attackWithStalledBodies } from '../fuzz/hostile-load.ts';
import { type Attack, atMost, type Outcome } from './attack.ts';

/**
 * Bombs, endless, trickling and stalled bodies, and thousands of idle connections: others are answered in the meantime.
 */
export const bodies: Attack = {
  name: 'bodies',
  async run(start) {
    const { others: besideBombs } = await attackWithEverything(await start());
    const narrow = await start({ MAX_UPLOAD_BYTES: '16MiB', MAX_UPLOADS_MEMORY: '64MiB' });
    const { others: besideStalled, end } = await attackWithStalledBodies(narrow);
    end();
    return [
      ...judge('bombs, endless and trickling bodies, 2,000 idle connections', besideBombs),
      ...judge('60 bodies of 15 MiB that stop', besideStalled),
    ];
  },
};

function judge(attack: string, others: readonly Answered[]): readonly Outcome[] {
  const refused = others.filter(({ status }) => status !== 200).length;
  return [
    atMost(1_000, {
      attack,
      of: "others' longest wait",
      measured: Math.max(...others.map(({ ms }) => ms)),
      unit: 'ms',
    }),
    atMost(0, { attack, of: `refused of ${others.length} good requests`, measured: refused, unit: 'requests' }),
  ];
}
