import { fieldsOf } from '../answers.ts';
import { type CallSettings, createBoundedCalls, type GithubCall, type GithubCalls } from './bounded-calls.ts';
import type { InstallationTokens } from './installation-tokens.ts';
import { OPERATIONS } from './operations.ts';
import { BY_INSTALLATION } from './sign-in.ts';

export interface InstallationCallsDeps
  extends Pick<CallSettings, 'client' | 'fetch' | 'clock' | 'timers' | 'timeLimit' | 'remember'> {
  readonly tokens: InstallationTokens;
}

/**
 * Calls as an installation of the App: each of its requests bears the installation's token. A token that GitHub refuses
 * (it expired, or was revoked) is replaced, and the call made again once, writes too: what answers 401 has done
 * nothing.
 */
export function createInstallationCalls({ tokens, ...settings }: InstallationCallsDeps): GithubCalls {
  const bounded = createBoundedCalls({ ...settings, signIn: BY_INSTALLATION, redact: tokens.redact });
  return (run, within) =>
    bounded(async (call) => {
      const token = await askedFor(call, tokens.current());
      try {
        return await run(bearing(call, token));
      } catch (error) {
        if (fieldsOf(fieldsOf(error).response).status !== 401) throw error;
        return await run(bearing(call, await askedFor(call, tokens.renew(token))));
      }
    }, within);
}

/** What ends the call while it waits for a token is about the token. */
function askedFor(call: GithubCall, token: Promise<string>): Promise<string> {
  call.ask(OPERATIONS.makeToken);
  return token;
}

function bearing({ client, ask }: GithubCall, token: string): GithubCall {
  return {
    client,
    ask(operation) {
      const { signal, fetch: send } = ask(operation);
      return {
        signal,
        fetch: (input, init) => {
          const headers = new Headers(init?.headers);
          headers.set('authorization', `token ${token}`);
          return send(input, { ...init, headers });
        },
      };
    },
  };
}
