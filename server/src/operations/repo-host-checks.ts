import type { Repo } from '../core/repo/repo.ts';
import { counted } from '../core/sentences.ts';
import type { Clock } from '../platform/clock.ts';
import type { Host } from '../ports/host.ts';
import type { SignInState } from '../ports/host-checkup.ts';
import { ProviderFailure } from '../ports/provider.ts';
import { listHostTokens } from '../storage/host-tokens.ts';
import { asSentence, type Examined, type Finding, failed, ok, warning } from './check.ts';

/** Repos of a host that it is asked about one by one. */
const MAX_LOOKUPS = 10;
const DAY = 86_400_000;
/** How long before its end a token is worth a word, in ms. */
const SOON = 14 * DAY;

/** A token that ends soon, or has ended; undefined: neither. `of`: whose it is. */
export function checkEnd(
  { endsAt }: Extract<SignInState, { kind: 'token' }>,
  { of, clock }: { readonly of: string; readonly clock: Clock },
): Finding | undefined {
  const left = endsAt === undefined ? SOON : endsAt - clock.now();
  if (endsAt === undefined || left >= SOON) return undefined;
  const day = new Date(endsAt).toISOString().slice(0, 10);
  const more = left <= 0 ? '' : `, for ${counted(Math.ceil(left / DAY), 'day')} more`;
  return warning(`${of} is valid until ${day}${more}.`, 'Create a new one there, and set it here instead.');
}

/**
 * The first of the repos' own tokens that is refused, lacks a right or ends soon; undefined: none of those asked.
 * `alone`: this server has no token of its own there, so that these are all.
 */
export async function checkRepoTokens(host: Host, deps: Examined, part?: 'alone'): Promise<Finding | undefined> {
  const { store, secrets, clock } = deps;
  if (store === undefined || secrets === undefined || host.withToken === undefined) return undefined;
  const ofHost = (await listHostTokens(store.repos)).filter(({ service }) => service === host.service);
  for (const { name, hostToken } of ofHost.slice(0, MAX_LOOKUPS)) {
    const token = secrets.openText(hostToken.sealed);
    const asked = token === undefined ? undefined : host.withToken(token)?.checkUp();
    const signIn = (await answerOf(asked))?.signIn;
    const fix = `Set a new one for ${name} on its settings page.`;
    if (signIn?.kind === 'refused') return failed(`The token of ${name}: ${asSentence(signIn.why)}`, fix);
    if (signIn?.kind !== 'token') continue;
    if (signIn.missing.length > 0)
      return failed(`The token of ${name} lacks the scope ${signIn.missing.join(', ')}.`, fix);
    const end = checkEnd(signIn, { of: `The token of ${name}`, clock });
    if (end !== undefined) return end;
  }
  if (part !== 'alone' || ofHost.length === 0) return undefined;
  return ok(`This server has no token for ${host.name}; repos with their own: ${ofHost.length}.`);
}

/** Why the host sends nothing to the webhook of one of its first repos, as a sentence; undefined: nothing is known. */
export async function findTrouble({ service }: Host, { store, hosts, baseUrl }: Examined): Promise<string | undefined> {
  if (store === undefined || baseUrl === undefined) return undefined;
  const address = `${baseUrl}/hooks/${service}`;
  const listed = await store.repos.list({ after: { service, name: '' }, limit: MAX_LOOKUPS });
  const repos = listed.filter((repo: Repo) => repo.service === service);
  const found = await Promise.all(
    repos.map((repo) => answerOf(hosts.of(repo)?.provider?.readWebhook?.({ repo: repo.name, address }))),
  );
  return found.find((state) => state?.kind === 'failing')?.why;
}

/** Undefined if the host refuses to say, or does not answer. */
async function answerOf<T>(asked: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderFailure) return undefined;
    throw error;
  }
}
