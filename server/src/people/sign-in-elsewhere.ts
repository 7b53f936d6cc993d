import type { AuditSignIns, SignInTry } from '../access/audit-sign-ins.ts';
import { Failure } from '../core/failure.ts';
import { type Account, MAX_GROUPS } from '../core/repo/account.ts';
import { auditBy } from '../core/repo/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { createCounts } from '../platform/limiter.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { CurrentGroups } from '../ports/access.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { SignedInPerson, SignInAttempt, SignInProvider } from '../ports/sign-in.ts';
import type { AccountStore } from '../storage/account-store.ts';
import { tooManyAttempts, WINDOW } from './limit-attempts.ts';

/** How long somebody may take to sign in at a provider, in ms. */
const ATTEMPT_LIMIT = 15 * 60_000;
const MAX_NAME = 100;
/** Answers of one network that providers refused, in so long: anybody can make up a code, and each is a question. */
const MAX_REFUSED = 20;

export interface SignInElsewhereDeps {
  readonly accounts: Pick<AccountStore, 'create' | 'findBySubject' | 'change'>;
  /** As they are now. */
  readonly listProviders: () => readonly SignInProvider[];
  readonly secrets: Pick<Secrets, 'newRandom' | 'sealText' | 'openText' | 'equal'>;
  readonly clock: Clock;
  readonly auditSignIns: Pick<AuditSignIns, 'failed'>;
  readonly groups: Pick<CurrentGroups, 'auditEnd'>;
  /** Where a provider sends browsers back to. */
  readonly redirectUri: (key: string) => string;
  readonly networkOf: (address: string) => string;
}

/** Signing in at a git host or an OpenID provider. Failures: `not-found`, `forbidden`, `over-limit`, `unavailable`. */
export interface SignInElsewhere {
  listProviders(): readonly Pick<SignInProvider, 'key' | 'name'>[];
  /** The provider's address, and what the browser keeps meanwhile. */
  begin(key: string, returnTo: string): Promise<{ readonly address: string; readonly kept: string }>;
  /** Who came back, and where they wanted to go. `kept`: what this browser was given; undefined: nothing. */
  finish(back: {
    readonly key: string;
    readonly kept: string | undefined;
    readonly answer: URLSearchParams;
    readonly address: string;
  }): Promise<{ readonly account: Account; readonly returnTo: string }>;
}

/** What a browser keeps, sealed, from its leaving to its coming back. */
interface KeptAttempt extends Omit<SignInAttempt, 'redirectUri'> {
  readonly key: string;
  readonly returnTo: string;
  readonly until: number;
}

export function createSignInElsewhere(deps: SignInElsewhereDeps): SignInElsewhere {
  const { listProviders, secrets, clock, auditSignIns, redirectUri, networkOf } = deps;
  const refused = createCounts({ now: clock.now, isOver: (since, at) => at - since >= WINDOW });
  const providerOf = (key: string): SignInProvider => {
    const found = listProviders().find((one) => one.key === key);
    if (found === undefined) throw new Failure('not-found', 'Nobody signs in here this way.');
    return found;
  };
  const finish: SignInElsewhere['finish'] = async ({ key, kept, answer, address }) => {
    const provider = providerOf(key);
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
    const { amount, since } = refused.read(network);
    if (amount >= MAX_REFUSED) throw tooManyAttempts(since + WINDOW - clock.now());
    const asking = { ...attempt, redirectUri: redirectUri(key), answer };
    const person = await asked(provider, provider.finish(asking)).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'forbidden') refused.add(network, 1);
      throw error;
    });
    return { account: await keepAccount(deps, person, { way: key, address }), returnTo: attempt.returnTo };
  };
  return {
    listProviders,
    async begin(key, returnTo) {
      const provider = providerOf(key);
      const [state, nonce, verifier] = [secrets.newRandom(), secrets.newRandom(), secrets.newRandom()];
      const attempt = { state, nonce, verifier };
      const kept: KeptAttempt = { ...attempt, key, returnTo, until: clock.now() + ATTEMPT_LIMIT };
      const address = await asked(provider, provider.begin({ ...attempt, redirectUri: redirectUri(key) }));
      return { address, kept: secrets.sealText(JSON.stringify(kept)) };
    },
    async finish(back) {
      const tried = { way: back.key, address: back.address };
      try {
        return await finish(back);
      } catch (error) {
        if (error instanceof Failure && error.code === 'forbidden') await auditSignIns.failed(tried);
        throw error;
      }
    },
  };
}

async function asked<T>({ name }: SignInProvider, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) throw cause;
    const sentence =
      cause.kind === 'permanent'
        ? `${name} did not take this sign-in. Begin again; if it happens again, its settings here are wrong.`
        : `${name} does not answer. Try again in a minute.`;
    throw new Failure(cause.kind === 'permanent' ? 'forbidden' : 'unavailable', sentence, { cause });
  }
}

/** The account of who signed in, made at the first time, with what the provider says today. */
async function keepAccount(
  { accounts, secrets, clock, groups: { auditEnd } }: SignInElsewhereDeps,
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
  if (account === undefined) throw new Failure('internal', 'The account went while it was made.');
  if (account.disabledAt !== undefined)
    throw new Failure('forbidden', 'Your account is disabled here. An administrator of this server can enable it.');
  return account;
}
