import type { Clock } from '../../platform/clock.ts';

/** Whether one more may be written for this key: what strangers cause must stay cheap, whatever they send. */
export type WriteLimit = (key: string | number) => boolean;

/** So many writes for one key, and for all together, in each window of time (ms). */
export function createWriteLimit(
  clock: Clock,
  most: { readonly window: number; readonly ofKey: number; readonly ofAll: number },
): WriteLimit {
  let began = 0;
  let all = 0;
  let ofKeys = new Map<string | number, number>();
  return (key) => {
    if (clock.now() - began >= most.window) {
      began = clock.now();
      all = 0;
      ofKeys = new Map();
    }
    const written = ofKeys.get(key) ?? 0;
    if (all >= most.ofAll || written >= most.ofKey) return false;
    all += 1;
    ofKeys.set(key, written + 1);
    return true;
  };
}
