import { Failure, quoteValue } from '../core/failure.ts';
import type { HostWebhook, ProviderEvent, ProviderMessage } from '../ports/provider-events.ts';
import { isSigned, parsePayload, readingPayload } from './payloads.ts';

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
    checkHeaders: (message) => void proofOf(hook, message),
    async read(message) {
      const { sent, secret } = proofOf(hook, message);
      const { body, header } = message;
      if (!(await isSigned(body, sent, secret)))
        throw new Failure(
          'credential-unknown',
          `${HEADER} is not this message's signature; ` +
            `set the secret of the webhook at ${hook.host} to the value of ${hook.setting}.`,
        );
      const name = header(hook.eventHeader) ?? '';
      if (!/^[a-z_]{1,40}:[a-z_:]{1,60}$/.test(name))
        throw new Failure('payload-invalid', `${hook.eventHeader} must name the event, but is ${quoteValue(name)}.`);
      return { name, event: hook.isKnown(name) ? await hook.readEvent(name, parsePayload(body)) : undefined };
    },
  };
}

function proofOf({ secret, setting, host }: SignedHook, { header }: Pick<ProviderMessage, 'header'>) {
  if (secret === undefined) throw new Failure('not-found', hooksOff({ host, setting }));
  const sent = header(HEADER) ?? '';
  if (sent === '')
    throw new Failure(
      'credential-missing',
      `${HEADER} is missing; set the secret of the webhook at ${host} to the value of ${setting}.`,
    );
  return { sent, secret };
}

export function hooksOff({ host, setting }: Pick<SignedHook, 'host' | 'setting'>): string {
  return `This server accepts no webhooks from ${host}: ${setting} is not set.`;
}

/** Among several branches that were pushed at once the one where builds land: an event names one. */
export function landingOf<T>(moved: readonly T[], nameOf: (one: T) => string | undefined): T | undefined {
  return moved.find((one) => /^(main|master|trunk|develop)$/.test(nameOf(one) ?? '')) ?? moved[0];
}

/** Reads an event of one of the kinds that matter. Throws a Failure `payload-invalid` that names the field. */
export function readBy<Payload>(
  readers: Readonly<Record<string, (payload: Payload) => ProviderEvent | undefined>>,
  event: string,
  payload: Payload,
): ProviderEvent | undefined {
  return readingPayload(event, () => readers[event]?.(payload));
}
