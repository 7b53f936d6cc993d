import type { Timestamp } from '../../core/time.ts';
import type { Fetch } from '../../platform/outgoing.ts';
import {
  type AskCheckup,
  CHECKUP_LIMIT,
  type HostCheckup,
  type RateLimitLeft,
  type SignInState,
} from '../../ports/host-checkup.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { countOf, type Fields, fieldsOf, idOf, textOf } from '../answers.ts';
import { type GithubCall, type GithubConnection, openCalls, openPassingCalls } from './calls.ts';
import type { GithubApp } from './octokit-client.ts';
import { OPERATIONS } from './operations.ts';
import { request, requestList } from './requests.ts';
import { missingEvents, missingPermissions, missingScopes, readScopes } from './rights.ts';

/** At most one of both. */
interface SignedIn {
  readonly token: string | undefined;
  readonly app: GithubApp | undefined;
}

type Seen = Pick<HostCheckup, 'signIn' | 'rateLimit'>;
/** Installations that are listed. */
const LISTED = 100;
/** Installations whose rate limit is asked for: each costs a token. */
const LOOKED_AT = 3;

/** How GitHub sees this server. The clock is read from whatever answers, a refusal too. */
export function createCheckup(connection: GithubConnection, signedIn: SignedIn): AskCheckup {
  return async () => {
    let clocks: HostCheckup['clocks'];
    const fetch: Fetch = async (input, init) => {
      const answer = await connection.fetch(input, init);
      const host = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(host)) clocks = { host, ours: connection.clock.now() };
      return answer;
    };
    const seen = await ask({ ...connection, fetch }, signedIn).catch((error: unknown): Seen => {
      if (!(error instanceof ProviderFailure) || error.status === undefined) throw error;
      const isSignedIn = signedIn.token !== undefined || signedIn.app !== undefined;
      return { signIn: isSignedIn ? signInBy(error) : { kind: 'none' }, rateLimit: undefined };
    });
    return { address: connection.apiUrl, clocks, ...seen };
  };
}

/** Only a final answer says something of the credential. */
function signInBy({ kind, message: why }: ProviderFailure): SignInState {
  return kind === 'permanent' ? { kind: 'refused', why } : { kind: 'unknown', why };
}

function ask(connection: GithubConnection, { token, app }: SignedIn): Promise<Seen> {
  if (app !== undefined) {
    const calls = openCalls({ ...connection, retryPause: 1, callTimeLimit: CHECKUP_LIMIT }, { kind: 'app', app });
    return calls((call) => askAsApp(connection, call));
  }
  const calls = openPassingCalls(connection, { token, timeLimit: CHECKUP_LIMIT });
  return calls((call) => askByToken(call, token !== undefined));
}

async function askByToken(call: GithubCall, isSignedIn: boolean): Promise<Seen> {
  const { rateLimit, rights } = await readRateLimit(call);
  const signIn: SignInState = isSignedIn ? { kind: 'token', rights, missing: missingScopes(rights) } : { kind: 'none' };
  return { signIn, rateLimit };
}

async function readRateLimit(call: GithubCall) {
  let rights: readonly string[] | undefined;
  const rateLimit = await request(call, OPERATIONS.readRateLimit, {
    send: async (rest, options) => {
      const answer = await rest.rateLimit.get({ request: options });
      rights = readScopes(answer.headers['x-oauth-scopes']);
      return answer;
    },
    read: ({ resources }) => toRateLimit(fieldsOf(fieldsOf(resources).core)),
  }).catch((error: unknown) => {
    // An Enterprise Server whose limits are turned off.
    if (fieldsOf(error).status === 404) return undefined;
    throw error;
  });
  return { rateLimit, rights };
}

function toRateLimit({ limit, remaining, reset }: Fields): RateLimitLeft | undefined {
  const [all, left, resetAt] = [countOf(limit), countOf(remaining), countOf(reset)];
  if (all === undefined || left === undefined || resetAt === undefined) return undefined;
  const at: Timestamp = resetAt * 1_000;
  return { limit: all, left, resetAt: at };
}

async function askAsApp(connection: GithubConnection, call: GithubCall): Promise<Seen> {
  const app = await request(call, OPERATIONS.readApp, {
    send: (rest, options) => rest.apps.getAuthenticated({ request: options }),
    read: (found) => (idOf(found.id) === undefined ? undefined : found),
  });
  const { entries } = await requestList(call, OPERATIONS.listInstallations, (rest, options) =>
    rest.apps.listInstallations({ per_page: LISTED, request: options }),
  );
  const suspended = entries.filter(({ suspended_at: at }) => typeof at === 'string');
  const active = entries.filter((one) => !suspended.includes(one));
  const signIn: SignInState = {
    kind: 'app',
    id: idOf(app.id) ?? 0,
    missing: missingPermissions(app.permissions),
    missingEvents: missingEvents(app.events),
    installations: Math.max(countOf(app.installations_count) ?? 0, entries.length),
    notAgreed: active.filter((one) => mayDoLess(one, app)).map(accountOf),
    suspended: suspended.map(accountOf),
  };
  return { signIn, rateLimit: await leastLeft(connection, call, active.slice(0, LOOKED_AT)) };
}

/** What the App itself does not ask for is no fault of the installation's owner. */
function mayDoLess(installation: Fields, app: Fields): boolean {
  const ofApp = missingPermissions(app.permissions);
  return missingPermissions(installation.permissions).some((name) => !ofApp.includes(name));
}

function accountOf({ account, id }: Fields): string {
  return textOf(fieldsOf(account).login) ?? String(id);
}

/** Each installation has a limit of its own. */
async function leastLeft(
  connection: GithubConnection,
  call: GithubCall,
  installations: readonly Fields[],
): Promise<RateLimitLeft | undefined> {
  const limits = await Promise.all(
    installations.map(async ({ id }) => {
      const token = await request(call, OPERATIONS.makeToken, {
        send: (rest, options) =>
          rest.apps.createInstallationAccessToken({ installation_id: Number(id), request: options }),
        read: (made) => textOf(made.token),
      });
      const calls = openPassingCalls(connection, { token, timeLimit: CHECKUP_LIMIT });
      const { rateLimit } = await calls(readRateLimit);
      return rateLimit;
    }),
  );
  return limits.filter((one) => one !== undefined).toSorted((a, b) => a.left - b.left)[0];
}
