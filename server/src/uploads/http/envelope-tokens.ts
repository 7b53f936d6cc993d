import type { SecretTexts } from '../../core/secret-texts.ts';
import { strayToken } from '../../platform/http/refuse-stray-tokens.ts';
import type { Envelope } from './envelope.ts';

/** Texts that are shown and decide nothing: a commit message may tell of a token. */
const ONLY_SHOWN = /^(?:git\.(?:head\.(?!id$)|remotes$)|service_(?:build|job)_url$)/;

interface Checked {
  readonly envelope: Envelope;
  /** Some quote what was sent. */
  readonly warnings: readonly string[];
}

/**
 * A checked envelope without tokens, except for `repo_token`. One in a text that is only shown is left out, with a
 * warning; one in any other field is refused (Failure `payload-invalid`). `token` is the request's own: one client
 * sends it as its job id too, which then is none (wire.md).
 */
export function withoutTokens(
  { envelope, warnings: quoting }: Checked,
  { secretTexts, token }: { readonly secretTexts: SecretTexts; readonly token: string | undefined },
): Checked {
  const warnings = quoting.map((text) => (secretTexts.find(text) === undefined ? text : secretTexts.hide(text)));
  const clean = (place: string, value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) return cleanAll(`${place}.`, value);
    if (typeof value !== 'string' || place === 'repo_token') return value;
    if (place === 'service_job_id' && value === token) return undefined;
    const kind = secretTexts.find(value);
    if (kind === undefined) return value;
    if (!ONLY_SHOWN.test(place)) throw strayToken(place, kind);
    warnings.push(`${place} held what looks like ${kind}; it was left out. Revoke it if it is real.`);
    return secretTexts.hide(value);
  };
  const cleanAll = (before: string, fields: object): object =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(before + name, value)]));
  return { envelope: cleanAll('', envelope) as Envelope, warnings };
}
