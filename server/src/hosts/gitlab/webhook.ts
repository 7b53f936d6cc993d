import { createHash, timingSafeEqual } from 'node:crypto';
import { Failure, quoteValue } from '../../core/failure.ts';
import type { HostWebhook, ProviderMessage } from '../../ports/provider-events.ts';
import { parsePayload, signatureOf } from '../payloads.ts';
import * as say from './messages.ts';
import { isKnownEvent, readEvent } from './webhook-events.ts';

/** GitLab sends no more in one message. */
const PAYLOAD_CAP = 25 * 1024 * 1024;
/** For a signing token, which GitLab makes; the secret is what is behind it. */
export const SIGNING = 'whsec_';

/**
 * GitLab's webhook messages. With a signing token they bear a signature (Standard Webhooks); with a secret token they
 * hold the secret itself.
 */
export function createGitlabHook(secret: string | undefined): HostWebhook {
  return {
    hasSecret: secret !== undefined,
    bodyLimit: PAYLOAD_CAP,
    checkHeaders: (message) => void proofOf(message, secret),
    async read(message) {
      const { body, header } = message;
      const proof = proofOf(message, secret);
      if (proof.kind === 'secret' && !isSame(proof.sent, proof.secret))
        throw new Failure('credential-unknown', say.SECRET_WRONG);
      if (proof.kind === 'signature' && !(await isSigned(message, proof)))
        throw new Failure('credential-unknown', say.SIGNATURE_WRONG);
      const name = header('X-Gitlab-Event') ?? '';
      if (!/^[A-Za-z ]{1,60}$/.test(name)) throw new Failure('payload-invalid', say.eventMissing(quoteValue(name)));
      return { name, event: isKnownEvent(name) ? readEvent(name, parsePayload(body)) : undefined };
    },
  };
}

type Proof =
  | { readonly kind: 'secret'; readonly sent: string; readonly secret: string }
  | { readonly kind: 'signature'; readonly sent: string; readonly secret: string };

function proofOf({ header }: Pick<ProviderMessage, 'header'>, secret: string | undefined): Proof {
  if (secret === undefined) throw new Failure('not-found', say.WEBHOOK_OFF);
  const kind = secret.startsWith(SIGNING) ? 'signature' : 'secret';
  const sent = header(kind === 'signature' ? 'webhook-signature' : 'X-Gitlab-Token') ?? '';
  if (sent === '')
    throw new Failure('credential-missing', kind === 'secret' ? say.SECRET_MISSING : say.SIGNATURE_MISSING);
  return { kind, sent, secret };
}

/** In constant time, whatever their lengths. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}

/** `v1,<base64>`, several with blanks between them, over id, time and body. */
async function isSigned({ header, body }: ProviderMessage, { sent, secret }: Proof): Promise<boolean> {
  const key = Buffer.from(secret.slice(SIGNING.length), 'base64');
  const before = `${header('webhook-id')}.${header('webhook-timestamp')}.`;
  const wanted = Buffer.from(`v1,${(await signatureOf(body, { key, before })).toString('base64')}`);
  // A header holds thousands of short ones: only those of a signature's length are compared, and none is hashed.
  const likely = sent.split(' ').filter(({ length }) => length === wanted.length);
  return likely.some((one) => Buffer.byteLength(one) === wanted.length && timingSafeEqual(Buffer.from(one), wanted));
}
