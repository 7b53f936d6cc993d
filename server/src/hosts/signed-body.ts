import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Failure, quoteValue } from '../core/failure.ts';
import type { HostWebhook, ProviderEvent, ProviderMessage } from '../ports/provider-events.ts';

/** Webhooks whose whole body is signed with a secret (HMAC-SHA256). */
export interface SignedHook {
  readonly secret: string | undefined;
  /** The setting that holds the secret. */
  readonly setting: string;
  readonly host: string;
  /** Where the event's name is. */
  readonly eventHeader: string;
  /** Bytes; the host sends no more in one message. */
  readonly bodyLimit: number;
  isKnown(event: string): boolean;
  /** Throws a Failure `payload-invalid`. */
  readEvent(event: string, payload: unknown): Promise<ProviderEvent | undefined> | ProviderEvent | undefined;
}

const HEADER = 'X-Hub-Signature';

export function createSignedHook(hook: SignedHook): HostWebhook {
  return {
    hasSecret: hook.secret !== undefined,
    bodyLimit: hook.bodyLimit,
    checkHeaders: (message) => void signatureOf(hook, message),
    async read(message) {
      const { sent, secret } = signatureOf(hook, message);
      const { body, header } = message;
      if (!isSame(sent, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`))
        throw new Failure(
          'credential-unknown',
          `${HEADER} is not this message's signature; ` +
            `give the webhook at ${hook.host} the secret that ${hook.setting} holds.`,
        );
      const name = header(hook.eventHeader) ?? '';
      if (!/^[a-z_]{1,40}:[a-z_:]{1,60}$/.test(name))
        throw new Failure('payload-invalid', `${hook.eventHeader} must name the event, and is ${quoteValue(name)}.`);
      return { name, event: hook.isKnown(name) ? await hook.readEvent(name, parse(body)) : undefined };
    },
  };
}

function signatureOf({ secret, setting, host }: SignedHook, { header }: Pick<ProviderMessage, 'header'>) {
  if (secret === undefined) throw new Failure('not-found', hooksOff({ host, setting }));
  const sent = header(HEADER) ?? '';
  if (sent === '')
    throw new Failure(
      'credential-missing',
      `${HEADER} is missing; give the webhook at ${host} the secret that ${setting} holds.`,
    );
  return { sent, secret };
}

export function hooksOff({ host, setting }: Pick<SignedHook, 'host' | 'setting'>): string {
  return `This server takes no webhooks of ${host}: ${setting} is not set.`;
}

/** In constant time, whatever their lengths. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}

function parse(body: Uint8Array): unknown {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('payload-invalid', `The payload is not JSON: it begins with ${quoteValue(text.slice(0, 40))}.`);
  }
}

/** Of several branches that were pushed at once the one where builds land: an event names one. */
export function landingOf<T>(moved: readonly T[], nameOf: (one: T) => string | undefined): T | undefined {
  return moved.find((one) => /^(main|master|trunk|develop)$/.test(nameOf(one) ?? '')) ?? moved[0];
}

/** A field of a payload that is not as the host writes it. */
class Missing extends Error {}

/** A field that a payload must have. */
export function must<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new Missing(field);
  return value;
}

/** Reads an event of one of the kinds that matter. Throws a Failure `payload-invalid` that names the field. */
export function readBy<Payload>(
  readers: Readonly<Record<string, (payload: Payload) => ProviderEvent | undefined>>,
  event: string,
  payload: Payload,
): ProviderEvent | undefined {
  try {
    return readers[event]?.(payload);
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    const field = error.message;
    const sentence = `The payload of this ${event} does not fit: ${field} is missing or of another form.`;
    throw new Failure('payload-invalid', sentence, { field });
  }
}
