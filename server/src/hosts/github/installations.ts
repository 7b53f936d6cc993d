import { LRUCache } from 'lru-cache';
import type { Timestamp } from '../../core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { idOf } from '../answers.ts';
import { splitRepoName } from './addresses.ts';
import type { CallsOf, GithubCall, GithubCalls, GithubConnection } from './calls.ts';
import type { InstallationTokens } from './installation-tokens.ts';
import * as say from './messages.ts';
import { OPERATIONS } from './operations.ts';
import { SUSPENDED } from './refusal.ts';
import { request } from './requests.ts';

/** How long a repo's installation is kept, in ms. */
const HOLDS = 60 * 60_000;
/** How long it is kept where GitHub named the same one again after a refusal, in ms. */
const CONFIRMED_FOR = 60_000;
/** How long a refusal is kept, in ms: a build asks several times at once, and all owners share the App's rate limit. */
const REFUSED_FOR = 5_000;
/** A repo that is always refused costs one token in this time, in ms: all owners share the App's rate limit. */
const REFUSALS_APART = 60_000;
const MAX_REPOS = 10_000;
const MAX_INSTALLATIONS = 1_000;

/** One installation of the App, with everything that is its own: client, pace, token, remembered answers, limits. */
export interface Installation {
  readonly id: number;
  readonly calls: GithubCalls;
  readonly tokens: InstallationTokens;
}

interface Found {
  readonly installation: Installation;
  /** It was known before: it may be out of date by now. */
  readonly remembered: boolean;
}

interface Place {
  readonly id: number;
  readonly foundAt: Timestamp;
  /** When GitHub said so again after a refusal. */
  readonly confirmedAt: Timestamp | undefined;
}

interface Refusal {
  readonly failure: ProviderFailure;
  readonly until: Timestamp;
}

/** Which installation of the App each repo belongs to. */
interface KnownInstallations {
  /** Throws a ProviderFailure, permanent if the App is not installed for the repo or suspended; within as many ms. */
  find(repo: string, within: number): Promise<Found>;
  /**
   * Another installation than the one used that the repo belongs to by now; undefined: none other. A repo is looked up
   * for this once a minute at most. Throws as `find` does.
   */
  findOther(
    repo: string,
    last: { readonly used: Installation; readonly within: number },
  ): Promise<Installation | undefined>;
  /** Its repos are looked up again, and its token is made again. */
  forgetInstallation(id: number): void;
}

/**
 * Calls about repos, each as the installation that the repo belongs to. `appCalls`: as the App itself; `timeLimit`:
 * milliseconds for a whole call: look-up, token and request.
 */
export function createInstallations(
  appCalls: GithubCalls,
  connect: (id: number) => Installation,
  { clock, timers, timeLimit }: Pick<GithubConnection, 'clock' | 'timers'> & { readonly timeLimit: number },
): Pick<KnownInstallations, 'forgetInstallation'> & { readonly callsOf: CallsOf } {
  const known = lookUpAsNeeded(appCalls, connect, clock);
  return {
    forgetInstallation: known.forgetInstallation,
    callsOf: (repo) => async (run) => {
      // By the monotonic clock: the other one may be set while a call is in progress.
      const until = timers.elapsed() + timeLimit;
      return callAs(known, repo, { run, left: () => Math.max(until - timers.elapsed(), 1) });
    },
  };
}

/**
 * After a refusal the installation is looked up again, since the repo may have moved or the App been installed again;
 * so is its token, which may have a new permission. If either changed, the call is repeated: a refused one has done
 * nothing.
 */
async function callAs<T>(
  known: KnownInstallations,
  repo: string,
  { run, left }: { readonly run: (call: GithubCall) => Promise<T>; readonly left: () => number },
): Promise<T> {
  const { installation, remembered } = await known.find(repo, left());
  const { tokens } = installation;
  const droppedBefore = tokens.dropped();
  try {
    return await installation.calls(run, left());
  } catch (error) {
    if (!mayDependOnInstallation(error)) throw error;
    if (error.status === 403) tokens.drop({ olderThan: REFUSALS_APART });
    // By this call, or by another that was refused with the same one.
    const isRenewed = error.status === 403 && tokens.dropped() !== droppedBefore;
    const other = remembered ? await known.findOther(repo, { used: installation, within: left() }) : undefined;
    if (other === undefined && !isRenewed) throw error;
    return await (other ?? installation).calls(run, left());
  }
}

function mayDependOnInstallation(error: unknown): error is ProviderFailure {
  return error instanceof ProviderFailure && [401, 403, 404].includes(error.status ?? 0) && error.kind !== 'limited';
}

/** Looks installations up as they are needed, and keeps what was found last. */
function lookUpAsNeeded(
  appCalls: GithubCalls,
  connect: (id: number) => Installation,
  clock: Clock,
): KnownInstallations {
  const places = new LRUCache<string, Place>({ max: MAX_REPOS });
  const refused = new LRUCache<string, Refusal>({ max: MAX_REPOS });
  const connected = new LRUCache<number, Installation>({ max: MAX_INSTALLATIONS });
  const connectOnce = (id: number): Installation => {
    const installation = connected.get(id) ?? connect(id);
    connected.set(id, installation);
    return installation;
  };
  const lookUpAgain = async (repo: string, within: number): Promise<number> => {
    const key = repo.toLowerCase();
    places.delete(key);
    const known = refused.get(key);
    if (known !== undefined && clock.now() < known.until) throw known.failure;
    refused.delete(key);
    const id = await appCalls((call) => lookUp(call, repo), within).catch((error: unknown) => {
      if (error instanceof ProviderFailure && error.kind === 'permanent')
        refused.set(key, { failure: error, until: clock.now() + REFUSED_FOR });
      throw error;
    });
    places.set(key, { id, foundAt: clock.now(), confirmedAt: undefined });
    return id;
  };
  return {
    async find(repo, within) {
      const known = places.get(repo.toLowerCase());
      if (known !== undefined && clock.now() < known.foundAt + HOLDS)
        return { installation: connectOnce(known.id), remembered: true };
      return { installation: connectOnce(await lookUpAgain(repo, within)), remembered: false };
    },
    async findOther(repo, { used, within }) {
      const confirmedAt = places.get(repo.toLowerCase())?.confirmedAt;
      if (confirmedAt !== undefined && clock.now() < confirmedAt + CONFIRMED_FOR) return undefined;
      const id = await lookUpAgain(repo, within);
      if (id !== used.id) return connectOnce(id);
      places.set(repo.toLowerCase(), { id, foundAt: clock.now(), confirmedAt: clock.now() });
      return undefined;
    },
    forgetInstallation(id) {
      for (const [repo, place] of [...places]) if (place.id === id) places.delete(repo);
      // The installation may cover any of these repos now.
      refused.clear();
      connected.get(id)?.tokens.drop();
    },
  };
}

async function lookUp(call: GithubCall, repo: string): Promise<number> {
  const { id, isSuspended } = await request(call, OPERATIONS.findInstallation, {
    send: (rest, options) => rest.apps.getRepoInstallation({ ...splitRepoName(repo), request: options }),
    read: (found) => {
      const number = idOf(found.id);
      return number === undefined ? undefined : { id: number, isSuspended: typeof found.suspended_at === 'string' };
    },
  });
  if (isSuspended) {
    throw new ProviderFailure('permanent', say.nothingCanBeAsked(SUSPENDED), {
      status: 403,
      accessDenied: true,
    });
  }
  return id;
}
