import { Failure, quoteValue } from '../../core/failure.ts';
import type { HostWebhook, ProviderMessage } from '../../ports/provider-events.ts';
import { isNumericId } from '../answers.ts';
import { isSigned } from '../payloads.ts';
import * as say from './messages.ts';
import { isKnownEvent, readGithubEvent } from './webhook-events.ts';

const SIGNATURE = 'X-Hub-Signature-256';
/** docs.github.com, "Webhook events and payloads", "Payload cap". */
const PAYLOAD_CAP = 25 * 1024 * 1024;

/** GitHub's webhook deliveries. Without a secret (GITHUB_WEBHOOK_SECRET) none is believed, so none is taken. */
export function createGithubHook({ secret }: { readonly secret: string | undefined }): HostWebhook {
  const checkHeaders: HostWebhook['checkHeaders'] = (message) => void signatureOf(message, secret);
  return {
    hasSecret: secret !== undefined,
    bodyLimit: PAYLOAD_CAP,
    checkHeaders,
    async read(message) {
      const signed = signatureOf(message, secret);
      if (!(await isSigned(message.body, signed.signature, signed.secret))) {
        const sentence = say.signatureWrong(SIGNATURE);
        throw new Failure('credential-unknown', sentence);
      }
      const name = message.header('X-GitHub-Event') ?? '';
      if (!/^[a-z_]{1,100}$/.test(name)) {
        throw new Failure('payload-invalid', say.eventMissing(quoteValue(name)));
      }
      return {
        name,
        event: isKnownEvent(name) ? readGithubEvent(name, readPayload(message), appOf(message)) : undefined,
      };
    },
  };
}

/** The App whose webhook a message came by; some payloads do not name it. */
function appOf({ header }: Pick<ProviderMessage, 'header'>): number | undefined {
  const isApps = /^(integration|app)$/.test(header('X-GitHub-Hook-Installation-Target-Type') ?? '');
  const id = header('X-GitHub-Hook-Installation-Target-ID') ?? '';
  return isApps && isNumericId(id) ? Number(id) : undefined;
}

function signatureOf(
  message: Pick<ProviderMessage, 'header'>,
  secret: string | undefined,
): { readonly secret: string; readonly signature: string } {
  if (secret === undefined) {
    throw new Failure('not-found', say.WEBHOOK_OFF);
  }
  const signature = message.header(SIGNATURE) ?? '';
  if (signature !== '') return { secret, signature };
  throw new Failure('credential-missing', say.signatureMissing(SIGNATURE));
}

/** GitHub sends JSON, or a form with JSON in its field `payload`, as the webhook was set up. */
function readPayload({ header, body }: ProviderMessage): unknown {
  const type = header('Content-Type') ?? '';
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  const json = isForm ? new URLSearchParams(text).get('payload') : text;
  if (json === null) throw new Failure('payload-invalid', say.PAYLOAD_MISSING, { field: 'payload' });
  try {
    return JSON.parse(json);
  } catch {
    const sentence = say.payloadNoJson(json.length, quoteValue(json.slice(0, 40)));
    throw new Failure('payload-invalid', sentence, { field: 'payload' });
  }
}
