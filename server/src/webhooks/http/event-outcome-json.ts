import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { EventOutcome } from '../handle-event.ts';

/**
 * What `POST /hooks/<service>` answers: the host shows it beside the delivery. Undefined: an event that does not matter
 * here.
 */
export function presentEventOutcome(event: string, outcome: EventOutcome | undefined): Answer<'eventOutcome'> {
  if (outcome === undefined) return { event, outcome: 'ignored', effects: [] };
  const { known, effects } = outcome;
  return { event, outcome: known ? 'heard' : 'unknown-repo', effects };
}
