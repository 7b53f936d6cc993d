import type { AttackedServer } from '../fuzz/hostile-load.ts';

/** One line of the table of `npm run attack`. */
export interface Outcome {
  readonly attack: string;
  readonly mustHold: string;
  readonly measured: string;
  readonly passed: boolean;
}

/** Starts the built server on loopback with one repo and one build; it is ended after the attack. */
export type StartAttacked = (env?: Readonly<Record<string, string>>) => Promise<AttackedServer>;

/** A bounded attack: a file of its own in this folder, and a line of ATTACKS in attacks.ts. */
export interface Attack {
  /** In kebab-case, for `npm run attack -- <name>`. */
  readonly name: string;
  /** Within a minute on a machine of its own. What it throws is a failed outcome. */
  run(start: StartAttacked): Promise<readonly Outcome[]>;
}

/** That a number stays at or under a limit. */
export function atMost(
  limit: number,
  {
    attack,
    of,
    measured,
    unit,
  }: { readonly [Text in 'attack' | 'of' | 'unit']: string } & {
    readonly measured: number;
  },
): Outcome {
  const words = (value: number): string => `${Math.round(value).toLocaleString('en')} ${unit}`;
  return { attack, mustHold: `${of}: at most ${words(limit)}`, measured: words(measured), passed: measured <= limit };
}
