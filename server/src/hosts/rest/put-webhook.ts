import type { WebhookChange } from '../../ports/provider.ts';
import type { Fields } from '../answers.ts';
import type { Ask } from './calls.ts';
import type { Operation } from './operations.ts';

export interface PutWebhook<Asking extends Operation> {
  readonly operation: Asking;
  /** Of the repo's webhooks. */
  readonly path: string;
  /** The one that is there, and what it is called in a path. */
  readonly known: Fields | undefined;
  readonly id: string | undefined;
  readonly body: { readonly events: readonly string[] };
}

/** Makes a webhook, or gives the one that is there its events and its secret again, which no host shows. */
export async function putWebhook<Asking extends Operation>(
  ask: Ask<Asking>,
  { operation, path, known, id, body }: PutWebhook<Asking>,
): Promise<WebhookChange> {
  if (known === undefined || id === undefined) {
    await ask(operation, { method: 'POST', path, body });
    return 'made';
  }
  await ask(operation, { method: 'PUT', path: `${path}/${id}`, body });
  const events: readonly unknown[] = Array.isArray(known.events) ? known.events : [];
  const isWhole =
    known.active !== false && known.secret_set !== false && body.events.every((one) => events.includes(one));
  return isWhole ? 'unchanged' : 'repaired';
}
