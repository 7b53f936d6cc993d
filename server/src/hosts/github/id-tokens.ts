import type { HostIdTokens } from '../../ports/host.ts';
import { readActionsClaims } from '../actions-claims.ts';

/** ID tokens of workflows' runs. */
export function githubIdTokens(settings: {
  /** GITHUB_OIDC_ISSUERS; undefined: GitHub's own. */
  readonly githubOidcIssuers: readonly string[] | undefined;
  readonly issuer: string;
}): HostIdTokens {
  return {
    issuers: settings.githubOidcIssuers ?? [settings.issuer],
    readClaims: (claims) => readActionsClaims(claims, { service: 'github', needsId: true }),
  };
}
