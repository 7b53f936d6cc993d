import { Failure, quoteValue } from '../../core/failure.ts';
import type { HostWebhook, ProviderMessage } from '../../ports/provider-events.ts';
import { isSigned, parsePayload } from '../payloads.ts';
import type { Flavor } from './flavor.ts';
import { isKnownEvent, readEvent } from './webhook-events.ts';

/** A push of very many commits is cut there before it is sent. */
const PAYLOAD_CAP = 25 * 1024 * 1024;
/** Forgejo sends it too. */
const SIGNATURE = 'X-Gitea-Signature';

/** Webhook messages of Gitea and Forgejo: the signature is of the body, where it is sent as JSON. */
export function createGiteaHook(flavor: Flavor, secret: string | undefined): HostWebhook {
  const { name: host, setting } = flavor;
  const proofOf = ({ header }: Pick<ProviderMessage, 'header'>) => {
    if (secret === undefined)
      throw new Failure(
        'not-found',
        `This server accepts no webhooks from ${host}: ${setting}_WEBHOOK_SECRET is not set.`,
      );
    // Without a secret the header is there and empty.
    const signature = header(SIGNATURE) ?? '';
    if (signature !== '') return { secret, signature: `sha256=${signature}` };
    throw new Failure(
      'credential-missing',
      `${SIGNATURE} is missing; set the secret of the webhook at ${host} to the value of ${setting}_WEBHOOK_SECRET.`,
    );
  };
  return {
    hasSecret: secret !== undefined,
    bodyLimit: PAYLOAD_CAP,
    checkHeaders: (message) => void proofOf(message),
    async read(message) {
      const { body, header } = message;
      const proof = proofOf(message);
      if (!(await isSigned(body, proof.signature, proof.secret)))
        throw new Failure(
          'credential-unknown',
          `${SIGNATURE} is not this message's signature; set the secret of the webhook at ${host} to the value of ` +
            `${setting}_WEBHOOK_SECRET, and its content type to application/json.`,
        );
      const name = header('X-Gitea-Event') ?? '';
      if (!/^[a-z_]{1,60}$/.test(name))
        throw new Failure('payload-invalid', `X-Gitea-Event must name the event, but is ${quoteValue(name)}.`);
      return { name, event: isKnownEvent(name) ? readEvent(flavor, name, parsePayload(body)) : undefined };
    },
  };
}
