import type { ProviderTokenKind } from '../../core/repo/git-host.ts';
import type { Repo } from '../../core/repo/repo.ts';
import type { Timestamp } from '../../core/time.ts';
import type { Host } from '../../ports/host.ts';
import type { UploaderServices } from './uploader-services.ts';
import { isIdToken, type OpenedIdToken, openIdToken } from './verify-id-token.ts';

/** A slow upload may arrive for minutes, in which its token was replaced: it is looked up again after this, in ms. */
const COUNTS_FOR = 10_000;

/** What a token is. An upload's is looked up once, at its beginning where it stands there, and handed on. */
export type ResolvedToken = { readonly token: string; readonly at: Timestamp } & (
  | { readonly kind: 'id-token'; readonly opened: OpenedIdToken }
  | { readonly kind: 'host'; readonly host: Host; readonly hostKind: ProviderTokenKind }
  /** For no host: the repo whose own it is, if there is one. */
  | { readonly kind: 'own'; readonly repo: Repo | undefined }
);

/** Throws a Failure for an ID token that does not pass its check. */
export async function resolveToken(
  services: UploaderServices,
  claim: {
    readonly token: string;
    readonly repoName: string | undefined;
    /** The network that it came from. */
    readonly address: string;
    /** What was looked up while the upload arrived; it counts where it is of this token. */
    readonly before?: ResolvedToken | undefined;
  },
): Promise<ResolvedToken> {
  const { hosts, repos, secrets, clock } = services;
  const { token, before } = claim;
  const at = clock.now();
  if (before?.token === token && at - before.at < COUNTS_FOR) return before;
  if (isIdToken(services, token)) return { token, at, kind: 'id-token', opened: await openIdToken(services, claim) };
  for (const host of hosts.all) {
    const hostKind = host.tokens.kindOf(token);
    if (hostKind !== undefined) return { token, at, kind: 'host', host, hostKind };
  }
  return { token, at, kind: 'own', repo: await repos.findByToken(secrets.lookups(token), at, { mayRemember: true }) };
}
