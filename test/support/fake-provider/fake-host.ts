import type { CheckRuns } from '../../../server/src/ports/check-runs.ts';
import type { Provider, ProviderFailure } from '../../../server/src/ports/provider.ts';
import { type Deliveries, deliveriesOf } from '../github-stand-in/deliveries.ts';
import { contentsOf, type HostContents, type HostSetUp, settersOf } from '../github-stand-in/host-set-up.ts';
import { createWorld } from '../github-stand-in/model.ts';
import { createFakeReads } from './fake-reads.ts';
import { createFakeWrites } from './fake-writes.ts';

/** One call of the port. */
export interface FakeCall {
  readonly operation: keyof Provider;
  /** Its argument. */
  readonly call: unknown;
}

/** What becomes of a call: undefined lets it through, a failure is thrown instead. */
export type FakeRule = (call: FakeCall) => ProviderFailure | undefined;

/**
 * A git host in memory, without HTTP: the whole port over repos, commit graphs and pull requests that a test sets up.
 */
export interface FakeHost extends HostSetUp, HostContents {
  /** The host as a plain token of `coverage-bot` sees it. */
  readonly provider: Provider;
  /** The host as an App sees it, which may make check runs. */
  readonly appProvider: Provider & CheckRuns;
  /** What GitHub's webhook would be sent about all this. */
  readonly deliveries: Deliveries;
  /** Its clock. */
  now(): number;
  /** All calls, in the order in which they began. */
  calls(): readonly FakeCall[];
  /** Asks the rule before every call; answers a function that removes it. */
  when(rule: FakeRule): () => void;
}

/** An empty host. `now`: ms since 1970. */
export function createFakeHost({ now = Date.now }: { readonly now?: () => number } = {}): FakeHost {
  const world = createWorld(now);
  // What links in payloads begin with.
  world.apiUrl = 'https://api.github.com';
  const calls: FakeCall[] = [];
  const rules = new Set<FakeRule>();
  const meet = (call: FakeCall): void => {
    calls.push(call);
    for (const rule of rules) {
      const failure = rule(call);
      if (failure) throw failure;
    }
  };
  const connect = (isApp: boolean): Provider & CheckRuns =>
    watch({ ...createFakeReads(world), ...createFakeWrites(world, { login: 'coverage-bot', isApp }) }, meet);
  return {
    ...settersOf(world),
    ...contentsOf(world),
    provider: connect(false),
    appProvider: connect(true),
    deliveries: deliveriesOf(world),
    now,
    calls: () => [...calls],
    when(rule) {
      rules.add(rule);
      return () => rules.delete(rule);
    },
  };
}

/** The same provider; `meet` runs before every call. */
function watch<Watched extends Provider>(provider: Watched, meet: (call: FakeCall) => void): Watched {
  const watched = Object.entries(provider).map(([name, run]) => [
    name,
    async (call: never) => {
      meet({ operation: name as keyof Provider, call });
      return (run as (call: never) => Promise<unknown>)(call);
    },
  ]);
  return Object.fromEntries(watched) as Watched;
}
