import type { Timestamp } from '../time.ts';
import type { Repo } from './repo.ts';

/** The last use of a repo's own token by clients that name one repo: hostile texts, already bounded. */
export interface TokenUse {
  readonly repoId: number;
  /** As clients name it, `<owner>/<name>` in lower case; empty: they do not. */
  readonly named: string;
  /** As its User-Agent says. */
  readonly client: string | undefined;
  /** To within a minute. */
  readonly at: Timestamp;
}

/** Names that are kept of one repo; of more, the one that was used longest ago goes. */
export const MAX_USES = 10;
/** How long a use counts as one that continues, in ms. */
const CURRENT = 30 * 86_400_000;

/** The other repo whose clients use this one's token beside its own or a third's; undefined: there is none. */
export function findOtherUse(
  { name }: Pick<Repo, 'name'>,
  uses: readonly TokenUse[],
  now: Timestamp,
): TokenUse | undefined {
  const named = uses.filter((use) => use.named !== '' && use.at > now - CURRENT);
  return named.length < 2 ? undefined : named.find((use) => use.named !== name.toLowerCase());
}
