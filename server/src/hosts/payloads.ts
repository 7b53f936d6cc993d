import { createHmac, timingSafeEqual } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure, quoteValue } from '../core/failure.ts';

/** A field of a payload that is not as the host writes it. */
class MissingField extends Error {}

/** A field that a payload cannot do without. */
export function mustHave<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new MissingField(field);
  return value;
}

/** What an event tells. Throws a Failure `payload-invalid` if a field is missing. */
export function readingPayload<T>(event: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MissingField)) throw error;
    const { message: field } = error;
    const sentence = `The payload of this ${event} is not valid: ${field} is missing or has the wrong type.`;
    throw new Failure('payload-invalid', sentence, { field });
  }
}

export function parsePayload(body: Uint8Array): unknown {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('payload-invalid', `The payload is not JSON: it begins with ${quoteValue(text.slice(0, 40))}.`);
  }
}

/** Bytes that are hashed in one turn of the event loop: a millisecond. Anybody may send a body and a signature. */
const IN_A_TURN = 1024 * 1024;

/**
 * Whether these bytes were signed with this secret: `sha256=` and the hexadecimal HMAC-SHA-256 of the body, compared in
 * constant time (docs.github.com, "Validating webhook deliveries").
 */
export async function isSigned(body: Uint8Array, signature: string, secret: string): Promise<boolean> {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(signature) ?? [];
  return hex !== undefined && timingSafeEqual(await signatureOf(body, { key: secret }), Buffer.from(hex, 'hex'));
}

/** The HMAC-SHA-256 of a body, behind what its signature is of besides. */
export async function signatureOf(
  body: Uint8Array,
  { key, before = '' }: { readonly key: string | Uint8Array; readonly before?: string },
): Promise<Buffer> {
  const hmac = createHmac('sha256', key).update(before);
  for (let at = 0; at < body.length; at += IN_A_TURN) {
    if (at > 0) await nextTurn();
    hmac.update(body.subarray(at, at + IN_A_TURN));
  }
  return hmac.digest();
}
