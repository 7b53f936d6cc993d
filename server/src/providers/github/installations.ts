import type { Timestamp } from '../../domain/build/job.ts';
import type { Clock } from '../../ports/clock.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import { splitRepoName } from './addresses.ts';
import { fieldsOf, idOf } from './answers.ts';
import type { GithubCall, GithubCalls } from './bounded-calls.ts';
import { unexpectedAnswer } from './call-failure.ts';
import type { InstallationTokens } from './installation-tokens.ts';
import { OPERATIONS } from './operations.ts';
import { SUSPENDED } from './refusal.ts';

/** How long it is believed which installation a repo belongs to, in ms. */
const HOLDS = 60 * 60_000;
const MOST_REPOS = 10_000;
const MOST_INSTALLATIONS = 1_000;

/** One installation of the App, with everything that is its own: client, pace, token, remembered answers, limits. */
export interface Installation {
  readonly id: number;
  readonly calls: GithubCalls;
  readonly tokens: InstallationTokens;
}

export interface InstallationsDeps {
  /** Calls as the App itself. */
  readonly appCalls: GithubCalls;
  readonly connect: (id: number) => Installation;
  readonly clock: Clock;
}

export interface Found {
  readonly installation: Installation;
  /** It was known from before: GitHub may think otherwise by now. */
  readonly remembered: boolean;
}

/** Which installation of the App each repo belongs to. */
export interface KnownInstallations {
  /** Throws a ProviderFailure, permanent where the App is not installed for the repo or suspended; within as many ms. */
  find(repo: string, within: number): Promise<Found>;
  /** The repo is looked up anew next time. */
  forget(repo: string): void;
  /** Everything of it is looked up and made anew. */
  forgetInstallation(id: number): void;
}

/** Looks installations up as they are needed, and keeps what was found last. */
export function createInstallations({ appCalls, connect, clock }: InstallationsDeps): KnownInstallations {
  const places = new Map<string, { readonly id: number; readonly until: Timestamp }>();
  const connected = new Map<number, Installation>();
  const connectOnce = (id: number): Installation => {
    const installation = connected.get(id) ?? connect(id);
    keepLast(connected, { key: id, value: installation, most: MOST_INSTALLATIONS });
    return installation;
  };
  return {
    async find(repo, within) {
      const key = repo.toLowerCase();
      const known = places.get(key);
      if (known !== undefined && clock.now() < known.until) return { installation: connectOnce(known.id), remembered: true };
      const id = await appCalls((call) => lookUp(call, repo), within);
      keepLast(places, { key, value: { id, until: clock.now() + HOLDS }, most: MOST_REPOS });
      return { installation: connectOnce(id), remembered: false };
    },
    forget: (repo) => void places.delete(repo.toLowerCase()),
    forgetInstallation(id) {
      for (const [repo, place] of places) if (place.id === id) places.delete(repo);
      connected.get(id)?.tokens.drop();
    },
  };
}

async function lookUp({ client, ask }: GithubCall, repo: string): Promise<number> {
  const request = ask(OPERATIONS.findInstallation);
  const { data } = await client.rest.apps.getRepoInstallation({ ...splitRepoName(repo), request });
  const installation = fieldsOf(data);
  const id = idOf(installation.id);
  if (id === undefined) throw unexpectedAnswer(OPERATIONS.findInstallation);
  if (typeof installation.suspended_at === 'string') {
    throw new ProviderFailure('permanent', `Nothing can be asked of GitHub: ${SUSPENDED}.`, { status: 403 });
  }
  return id;
}

/** Puts an entry last, and drops what was longest unused. */
function keepLast<Key, Value>(
  entries: Map<Key, Value>,
  { key, value, most }: { readonly key: Key; readonly value: Value; readonly most: number },
): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
