import type { SignInTry } from '../access/audit-sign-ins.ts';
import { Failure } from '../core/failure.ts';
import { type Account, LOCAL_ISSUER, MAX_GROUPS } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import { networkOf } from '../platform/network-of.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { HostSignIn, OpenIdSignIn, SignedInPerson, SignInAttempt, SignInProvider } from '../ports/sign-in.ts';
import type { Services } from '../services/services.ts';
import { type SignInGuards, tooManyAttempts, WINDOW } from './limit-attempts.ts';

/** How long somebody may take to sign in at a provider, in ms. */
const ATTEMPT_LIMIT = 15 * 60_000;
const MAX_NAME = 100;
/** Refusals by providers for one network in that time: anybody can make up a code, and each is a question. */
const MAX_REFUSED = 20;

type SigningIn = Pick<Services, 'accounts' | 'hosts' | 'openId' | 'secrets' | 'clock' | 'groups' | 'baseUrl'>;

/** What a browser keeps, sealed, from its leaving to its coming back. */
interface KeptAttempt extends Omit<SignInAttempt, 'redirectUri'> {
  readonly key: string;
  readonly returnTo: string;
  readonly until: number;
}

/** Git hosts and the OpenID provider, as they are now. */
export function listProviders({
  hosts,
  openId,
}: Pick<Services, 'hosts' | 'openId'>): readonly (HostSignIn | OpenIdSignIn)[] {
  return [...hosts.all.flatMap(({ signIn }) => signIn ?? []), ...[openId ?? []].flat()];
}

/** As people know the provider of an account. */
export function nameIssuer(services: Pick<Services, 'hosts' | 'openId'>, issuer: string): string {
  if (issuer === LOCAL_ISSUER) return 'here';
  // An OpenID provider goes by the name that the operator gave it, even if it is a git host's.
  return listProviders(services).findLast((one) => one.issuer === issuer)?.name ?? issuer;
}

/**
 * The provider's address, and what the browser keeps in the meantime. Throws a Failure `not-found`, `forbidden` or
 * `unavailable`.
 */
export async function beginElsewhere(
  services: SigningIn,
  { key, returnTo }: { readonly key: string; readonly returnTo: string },
): Promise<{ readonly address: string; readonly kept: string }> {
  const { secrets, clock } = services;
  const provider = providerOf(services, key);
  const [state, nonce, verifier] = [secrets.newRandom(), secrets.newRandom(), secrets.newRandom()];
  const attempt = { state, nonce, verifier };
  const kept: KeptAttempt = { ...attempt, key, returnTo, until: clock.now() + ATTEMPT_LIMIT };
  const redirectUri = redirectUriOf(services, key);
  const address = await asked(provider, provider.begin({ ...attempt, redirectUri }));
  return { address, kept: secrets.sealText(JSON.stringify(kept)) };
}

/** A browser that a provider sent back. `kept`: what it was given; undefined: nothing. */
interface CameBack {
  readonly key: string;
  readonly kept: string | undefined;
  readonly answer: URLSearchParams;
  readonly address: string;
}

/** Who came back, and where they wanted to go. Throws like `beginElsewhere`, and a Failure `over-limit`. */
export async function finishElsewhere(
  services: SigningIn & SignInGuards,
  back: CameBack,
): Promise<{ readonly account: Account; readonly returnTo: string }> {
  const tried = { way: back.key, address: back.address };
  try {
    const { person, returnTo } = await finish(services, back);
    return { account: await keepAccount(services, person, tried), returnTo };
  } catch (error) {
    if (error instanceof Failure && error.code === 'forbidden') await services.auditSignIns.failed(tried);
    throw error;
  }
}

async function finish(
  services: SigningIn & SignInGuards,
  { key, kept, answer, address }: CameBack,
): Promise<{ readonly person: SignedInPerson; readonly returnTo: string }> {
  const { secrets, clock, refusedAnswers } = services;
  const provider = providerOf(services, key);
  const text = kept === undefined ? undefined : secrets.openText(kept);
  const attempt = text === undefined ? undefined : (JSON.parse(text) as KeptAttempt);
  const isOurs =
    attempt !== undefined &&
    attempt.key === key &&
    clock.now() < attempt.until &&
    secrets.equal(answer.get('state') ?? '', attempt.state);
  if (!isOurs) throw new Failure('forbidden', 'This sign-in expired. Please try again.');
  if (answer.has('error')) throw new Failure('forbidden', `${provider.name} did not sign you in. Try again.`);
  const network = networkOf(address);
  const { amount, since } = refusedAnswers.read(network);
  if (amount >= MAX_REFUSED) throw tooManyAttempts(since + WINDOW - clock.now());
  const asking = { ...attempt, redirectUri: redirectUriOf(services, key), answer };
  const person = await asked(provider, provider.finish(asking)).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'forbidden') refusedAnswers.add(network, 1);
    throw error;
  });
  return { person, returnTo: attempt.returnTo };
}

function providerOf(services: SigningIn, key: string): SignInProvider {
  const found = listProviders(services).find((one) => one.key === key);
  if (found === undefined) throw new Failure('not-found', 'Signing in this way is not set up here.');
  return found;
}

/** Where a provider sends browsers back to. */
function redirectUriOf({ baseUrl }: Pick<Services, 'baseUrl'>, key: string): string {
  return `${baseUrl()}/sign-in/${key}/callback`;
}

async function asked<T>({ name }: SignInProvider, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) throw cause;
    const sentence =
      cause.kind === 'permanent'
        ? `${name} rejected this sign-in. Try again; if it happens again, its settings on this server are wrong.`
        : `${name} does not answer. Try again in a minute.`;
    throw new Failure(cause.kind === 'permanent' ? 'forbidden' : 'unavailable', sentence, { cause });
  }
}

/** The account of who signed in, made at the first time, with what the provider says today. */
async function keepAccount(
  { accounts, secrets, clock, groups: { auditEnd } }: SigningIn,
  { issuer, subject, name, email, groups, token, refresh }: SignedInPerson,
  { way, address }: SignInTry,
): Promise<Account> {
  const at = clock.now();
  const said = {
    name: name.slice(0, MAX_NAME),
    email,
    groups: groups.slice(0, MAX_GROUPS),
    groupsAt: at,
    refreshToken: refresh && secrets.sealText(refresh),
    groupsAskedUntil: undefined,
    hostToken: token && secrets.sealText(JSON.stringify(token)),
  };
  const known = await accounts.findBySubject(issuer, subject);
  const account =
    (known && (await accounts.change(known.id, said, auditEnd(known, said.groups, 'changed')))) ??
    (await accounts.create(
      {
        issuer,
        subject,
        ...said,
        administrator: false,
        password: undefined,
        signInCode: undefined,
        disabledAt: undefined,
        createdAt: at,
        signedInAt: undefined,
      },
      auditBy({ by: { kind: 'provider', service: way }, address }, { action: 'account.made', at }),
    )) ??
    (await accounts.findBySubject(issuer, subject));
  if (account === undefined) throw new Failure('internal', 'The account was removed while it was being created.');
  if (account.disabledAt !== undefined)
    throw new Failure('forbidden', 'Your account is disabled here. An administrator of this server can enable it.');
  return account;
}
