import type { VNode } from 'preact';
import type { TrendPoint } from '../../core/builds/trend-point.ts';
import { showLimit } from '../../core/coverage/percent.ts';
import type { RepoSettings } from '../../core/repo/settings.ts';
import { VerdictMark } from './build-words.tsx';

/** The verdict of a list's row in few words; limits are today's. */
export function VerdictSentence(props: {
  readonly verdict: TrendPoint['verdict'];
  readonly settings: Pick<RepoSettings, 'minimum' | 'allowedDrop'>;
}): VNode {
  const { verdict, settings } = props;
  return <VerdictMark of={verdict} words={verdict.state === 'failure' ? failureWords(verdict, settings) : undefined} />;
}

function failureWords(
  { rule, informational }: TrendPoint['verdict'],
  { minimum, allowedDrop }: Pick<RepoSettings, 'minimum' | 'allowedDrop'>,
): string | undefined {
  if (informational === true) return undefined;
  switch (rule) {
    case 'minimum':
      return minimum === null ? 'Below the minimum' : `Below the minimum, ${showLimit(minimum)}%`;
    case 'allowed-drop':
      return allowedDrop === null ? 'Fell too far' : `Fell by more than ${showLimit(allowedDrop)} points`;
    case 'no-decrease':
      return 'Coverage fell';
    case 'no-coverage-arrived':
      return 'No coverage arrived';
    default:
      return undefined;
  }
}
