import type { RestHost } from '../rest/calls.ts';
import type { Since } from '../rest/checkup.ts';

/** Where Gitea and Forgejo, which came from it, differ. */
export interface Flavor {
  readonly service: 'gitea' | 'forgejo';
  readonly name: 'Gitea' | 'Forgejo';
  /** What its settings begin with. */
  readonly setting: 'GITEA' | 'FORGEJO';
  /** A job's own token inside a text, as the service and 40 digits; with the flag `g`. */
  readonly token: RegExp;
  /** What its fields of a run are called. */
  readonly run: {
    readonly number: 'run_number' | 'index_in_repo';
    readonly commit: 'head_sha' | 'commit_sha';
    readonly event: 'event' | 'trigger_event';
    readonly actor: 'actor' | 'trigger_user';
    readonly endedAt: 'completed_at' | 'stopped';
  };
  /** What came with which version. */
  readonly since: readonly Since[];
  /** Whether its CI gives ID tokens, and since when. */
  readonly idTokensFrom: string | undefined;
  /**
   * What is asked for at sign-in. Without a scope that it knows the token may do everything its owner may: then it is
   * asked once and dropped.
   */
  readonly scopes: readonly string[];
  readonly dropsToken: boolean;
}

export const GITEA_FLAVOR: Flavor = {
  service: 'gitea',
  name: 'Gitea',
  setting: 'GITEA',
  token: /\bgitea:[0-9a-f]{40}\b/g,
  run: { number: 'run_number', commit: 'head_sha', event: 'event', actor: 'actor', endedAt: 'completed_at' },
  since: [
    [1, 25, 'runs that uploads without a secret come from'],
    [1, 27, 'the difference of any two commits'],
  ],
  idTokensFrom: undefined,
  scopes: ['read:user', 'read:repository'],
  dropsToken: false,
};

export const FORGEJO_FLAVOR: Flavor = {
  service: 'forgejo',
  name: 'Forgejo',
  setting: 'FORGEJO',
  token: /\bforgejo:[0-9a-f]{40}\b/g,
  run: {
    number: 'index_in_repo',
    commit: 'commit_sha',
    event: 'trigger_event',
    actor: 'trigger_user',
    endedAt: 'stopped',
  },
  since: [
    [12, 0, 'runs that uploads without a secret come from'],
    [15, 0, 'ID tokens'],
  ],
  idTokensFrom: '15',
  scopes: ['openid', 'profile'],
  dropsToken: true,
};

/** How it is asked. Tokens have no mark of their own: one that came with an upload has ours before it. */
export function apiOf({ name, setting, service }: Flavor, web: string): RestHost {
  const needsRights =
    'the token needs the scopes `write:repository`, `write:issue` and `read:user`, and its user the right to write ' +
    'in the repo';
  return {
    name,
    address: `${setting}_URL`,
    base: `${web}/api/v1`,
    passing: new Set([408]),
    headersOf: (token) => (token === '' ? {} : { authorization: `token ${token.replace(`${service}:`, '')}` }),
    saidIn: ({ message }) => message,
    meaningOf(status, { notFound, needs = needsRights }) {
      if (status === 401) return `the token is wrong or was deleted; set a valid one as ${setting}_TOKEN and restart`;
      if (status === 403) return needs;
      if (status === 404) return notFound;
      return status >= 500 ? `${name} has trouble` : `${name} does not accept what was sent`;
    },
    deniesAll: (status) => status === 401,
  };
}
