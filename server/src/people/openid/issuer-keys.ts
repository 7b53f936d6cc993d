import type { JSONWebKeySet } from 'jose';
import { quoteValue } from '../../core/failure.ts';
import type { Timestamp } from '../../core/time.ts';
import { type Fetch, findNotSent } from '../../platform/outgoing.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';

const ISSUER_TOO_SLOW = 'no answer in time';

/** How long keys are believed without asking again, and how long where the issuer does not answer, in ms. */
const HOLDS = 60 * 60_000;
const HOLDS_UNANSWERED = 24 * 60 * 60_000;
/** Between two questions, whatever keys tokens name, and after one that was not answered, in ms. */
const FLOOR = 30_000;
const FLOOR_UNANSWERED = 5_000;
/** For both questions together, in ms. */
const TIME_LIMIT = 5_000;
const MAX_BYTES = 256 * 1024;

/** The keys of one issuer; another id of a key than those that are known may have it asked again. */
export type IssuerKeys = (keyId: string | undefined) => Promise<JSONWebKeySet>;

/** Found by the issuer's own description of itself, never by what a token says. */
export function createIssuerKeys(
  issuer: string,
  { fetch, clock, timers }: Pick<Services, 'fetch' | 'clock' | 'timers'>,
): IssuerKeys {
  let known: { readonly keys: JSONWebKeySet; readonly at: Timestamp } | undefined;
  let trouble: ProviderFailure | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    askedAt = clock.now();
    try {
      known = { keys: await readKeys(issuer, { fetch, timers }), at: clock.now() };
      trouble = undefined;
    } catch (cause) {
      trouble = toTrouble(issuer, cause);
    } finally {
      underWay = undefined;
    }
  };
  const isKnown = (keyId: string | undefined): boolean =>
    known !== undefined && known.at > clock.now() - HOLDS && known.keys.keys.some(({ kid }) => kid === keyId);

  return async (keyId) => {
    if (!isKnown(keyId)) {
      if (clock.now() - askedAt >= (trouble === undefined ? FLOOR : FLOOR_UNANSWERED)) underWay ??= ask();
      await underWay;
    }
    if (known !== undefined && known.at > clock.now() - HOLDS_UNANSWERED) return known.keys;
    throw trouble ?? toTrouble(issuer, undefined);
  };
}

async function readKeys(issuer: string, { fetch, timers }: Pick<Services, 'fetch' | 'timers'>): Promise<JSONWebKeySet> {
  const giveUp = new AbortController();
  const timer = timers.start(TIME_LIMIT, () => giveUp.abort(new Refused(ISSUER_TOO_SLOW)));
  try {
    const about = await readJson(fetch, `${issuer}/.well-known/openid-configuration`, giveUp.signal);
    if (about.issuer !== issuer) throw new Refused(`it describes itself as ${quoteValue(about.issuer)}`);
    const { keys } = await readJson(fetch, readAddress(issuer, about.jwks_uri), giveUp.signal);
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)) return { keys };
    throw new Refused(ANSWER_NOT_UNDERSTOOD);
  } finally {
    timer.cancel();
  }
}

/** Only an issuer on this machine, which the settings take without https, may have its keys there so too. */
function readAddress(issuer: string, address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  const isLocal = url !== null && url.origin === new URL(issuer).origin;
  if (url !== null && (url.protocol === 'https:' || isLocal)) return url.href;
  throw new Refused(`it names keys at ${quoteValue(address)}, and only https is asked`);
}

async function readJson(
  fetch: Fetch,
  address: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(address, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Refused(`it answered ${response.status}`);
  }
  const value: unknown = parse(await readBounded(response));
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new Refused(ANSWER_NOT_UNDERSTOOD);
}

async function readBounded(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Refused(`its answer has more than ${MAX_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(ANSWER_NOT_UNDERSTOOD);
  }
}

/** Why the issuer was not understood, as the end of a sentence. */
class Refused extends Error {}

function toTrouble(issuer: string, cause: unknown): ProviderFailure {
  const why = cause instanceof Refused ? cause.message : (findNotSent(cause)?.message ?? ISSUER_TOO_SLOW);
  return new ProviderFailure('transient', issuerUnreachable(issuer, why), { cause });
}

export function issuerUnreachable(issuer: string, why: string): string {
  return `The keys of ${issuer} could not be fetched: ${why}.`;
}

export const ANSWER_NOT_UNDERSTOOD = 'its answer is not that of an issuer';
