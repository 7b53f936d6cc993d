import type { Heard } from '../../use-cases/hear-github/hear-github.ts';

/**
 * What `POST /hooks/github` answers: shown at GitHub beside the delivery. Undefined: an event that does not matter
 * here.
 */
export function presentHeard(event: string, heard: Heard | undefined): object {
  if (heard === undefined) return { event, outcome: 'ignored', effects: [] };
  const { known, effects } = heard;
  return { event, outcome: known ? 'heard' : 'unknown-repo', effects };
}
