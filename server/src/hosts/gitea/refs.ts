import type { HostRefs } from '../../core/repo/git-host.ts';

/** The ref of a pull request's head; there is none of its merge, and no merge queue. */
export const REFS: HostRefs = {
  pullRequestOf(ref) {
    const [, number] = /^refs\/pull\/([1-9]\d{0,14})\/head$/.exec(ref) ?? [];
    return number === undefined ? undefined : Number(number);
  },
  queueOf: () => undefined,
};
