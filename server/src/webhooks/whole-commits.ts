import { Failure } from '../core/failure.ts';
import type { Host, Hosts } from '../ports/host.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { ProviderEvent } from '../ports/provider-events.ts';

/** An event whose message holds the beginnings of commits, with the whole ones. Throws a Failure `unavailable`. */
export async function withWholeCommits(
  { service, name }: Pick<Host, 'service' | 'name'>,
  event: ProviderEvent,
  hosts: Pick<Hosts, 'of'>,
): Promise<ProviderEvent> {
  const find = hosts.of({ service, hostToken: true })?.provider?.findCommit;
  if (find === undefined || !('pull' in event)) return event;
  const { repo, pull } = event;
  const whole = (beginning: string | undefined) =>
    beginning === undefined
      ? undefined
      : find({ repo: repo.name, beginning }).catch((cause: unknown) => {
          // Nobody may ask there: what the message says is all that is known.
          if (cause instanceof ProviderFailure && cause.kind === 'permanent') return undefined;
          throw new Failure('unavailable', `${name} did not include the whole commit SHA; send the message again.`, {
            cause,
          });
        });
  const headCommit = (await whole(pull.headCommit)) ?? pull.headCommit;
  const landedCommit = await whole(pull.landedCommit);
  return { ...event, pull: { ...pull, headCommit, landedCommit } };
}
