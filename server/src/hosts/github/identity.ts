import { idOf } from '../answers.ts';
import type { GithubCall } from './calls.ts';
import { OPERATIONS } from './operations.ts';
import { readRateLimit } from './rate-limit.ts';
import { readRefusal } from './refusal.ts';
import { request } from './requests.ts';

/**
 * Who writes: a user; the App that we sign in as; or some App whose token we were given, which may not ask who it is.
 */
export type Identity = { readonly userId: number } | { readonly appId: number } | 'app';

/** Asks once; later calls get the same answer. */
export type AskIdentity = (call: GithubCall) => Promise<Identity>;

export function createAskIdentity(): AskIdentity {
  let known: Identity | undefined;
  return async (call) => {
    known ??= await askIdentity(call);
    return known;
  };
}

async function askIdentity(call: GithubCall): Promise<Identity> {
  try {
    const userId = await request(call, OPERATIONS.readIdentity, {
      send: (rest, options) => rest.users.getAuthenticated({ request: options }),
      read: ({ id }) => idOf(id),
    });
    return { userId };
  } catch (error) {
    if (isNotForApps(error)) return 'app';
    throw error;
  }
}

/** An installation's or a workflow's token is refused; a rate limit, which may answer 403 too, is no such refusal. */
function isNotForApps(error: unknown): boolean {
  const { response } = error as { readonly response?: Parameters<typeof readRefusal>[0] };
  return response?.status === 403 && readRateLimit(readRefusal(response), 0) === undefined;
}
