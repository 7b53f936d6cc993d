import type { WebhookChange, WebhookState } from '../../ports/provider.ts';
import { type Fields, fieldsOf } from '../answers.ts';
import type { Answer, Ask } from './calls.ts';
import type { Operation } from './operations.ts';

export interface PutWebhook<Asking extends Operation> {
  readonly operation: Asking;
  /** For the repo's webhooks. */
  readonly path: string;
  /** The one that is there, and what it is called in a path. */
  readonly known: Fields | undefined;
  readonly id: string | undefined;
  readonly body: { readonly events: readonly string[] };
  /** How the host changes one. */
  readonly method?: 'PUT' | 'PATCH';
}

/** Makes a webhook, or gives the one that is there its events and its secret again, which no host shows. */
export async function putWebhook<Asking extends Operation>(
  ask: Ask<Asking>,
  { operation, path, known, id, body, method = 'PUT' }: PutWebhook<Asking>,
): Promise<WebhookChange> {
  if (known === undefined || id === undefined) {
    await ask(operation, { method: 'POST', path, body });
    return 'made';
  }
  const answer = await ask(operation, { method, path: `${path}/${id}`, body });
  const before = listOf(known.events) ?? [];
  // An older version leaves out the events that it does not have.
  const wanted = eventsIn(answer) ?? body.events;
  const isWhole = known.active !== false && known.secret_set !== false && wanted.every((one) => before.includes(one));
  return isWhole ? 'unchanged' : 'repaired';
}

function eventsIn(answer: Answer): readonly unknown[] | undefined {
  return answer.text === '' ? undefined : listOf(fieldsOf(answer.json()).events);
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** `trouble`: why messages to one that is switched on fail, as a sentence. */
export function webhookState(
  hook: Fields | undefined,
  { host, repo, trouble }: { readonly host: string; readonly repo: string; readonly trouble?: string | undefined },
): WebhookState {
  if (hook === undefined) return { kind: 'missing' };
  const why = hook.active === false ? `The webhook of ${repo} at ${host} is disabled.` : trouble;
  return why === undefined ? { kind: 'set' } : { kind: 'failing', why };
}
