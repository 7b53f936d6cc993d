import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether GitHub signed these bytes with this secret: `sha256=` and the hexadecimal HMAC-SHA-256 of the body, compared
 * in constant time (docs.github.com, "Validating webhook deliveries").
 */
export function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(signature) ?? [];
  if (hex === undefined) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'));
}
