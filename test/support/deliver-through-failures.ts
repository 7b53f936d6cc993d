import { createDeliverer } from '../../server/src/announcing/deliverer.ts';
import type { Message, StatusContent } from '../../server/src/core/announce/delivery.ts';
import type { Provider } from '../../server/src/ports/provider.ts';
import { type createHandClock, deliverAll } from './delivery-rounds.ts';
import { createFakeOutbox } from './fake-outbox.ts';
import { mixFaults } from './github-stand-in/fault-mix.ts';
import type { Faults } from './github-stand-in/faults.ts';
import { createLogbook } from './logbook.ts';
import { NO_REPOS } from './outbox-scene.ts';
import { seeded } from './seeded.ts';

export interface FailingScene {
  readonly provider: Provider;
  readonly clock: ReturnType<typeof createHandClock>;
  readonly faults: Faults;
  readonly commit: string;
  readonly contexts: readonly string[];
  /** What the comments begin with. */
  readonly marker: string;
  readonly seed: number;
}

/**
 * Four versions of statuses and of the comment on pull request 7 are announced while 30 % of the requests fail; the
 * last one is `failure`, `v3`.
 */
export async function deliverThroughFailures(scene: FailingScene): Promise<void> {
  const { provider, clock, faults, commit, contexts, marker } = scene;
  const outbox = createFakeOutbox();
  const providerOf = () => provider;
  const deps = { outbox, repos: NO_REPOS, providerOf, clock, logger: createLogbook(), random: () => 0 };
  const deliver = createDeliverer(deps);
  const want = (message: Message): void => outbox.announce({ message, at: clock.now() });
  faults.when(mixFaults({ share: 0.3, random: seeded(scene.seed) }));
  const states = ['pending', 'success', 'pending', 'failure'] as const;
  for (const [version, state] of states.entries()) {
    for (const context of contexts)
      want({ target: { kind: 'status', commit, context }, content: statusOf(state, `v${version}`) });
    const body = `${marker}\nv${version}`;
    want({ target: { kind: 'comment', pullRequest: 7 }, content: { kind: 'comment', body } });
    await deliverAll({ outbox, deliver, clock });
  }
}

export function statusOf(state: StatusContent['state'], description: string = state): StatusContent {
  return { kind: 'status', state, description, targetUrl: 'https://coverage.example/builds/7' };
}
