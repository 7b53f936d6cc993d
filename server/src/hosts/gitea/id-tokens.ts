import type { HostIdTokens } from '../../ports/host.ts';
import { readActionsClaims } from '../actions-claims.ts';
import type { Flavor } from './flavor.ts';

/**
 * ID tokens of Forgejo Actions, from Forgejo 15 on, never of a fork's run. From 16 on they name the repo's id; before,
 * the host is asked for it.
 */
export function giteaIdTokens(
  { service, name, setting, idTokensFrom }: Flavor,
  { web, isReadable = false }: { readonly web: string; readonly isReadable?: boolean | undefined },
): HostIdTokens | undefined {
  if (idTokensFrom === undefined) return undefined;
  return {
    issuers: isReadable ? [] : [`${web}/api/actions`],
    async readClaims(claims, { provider }) {
      const read = readActionsClaims(claims, { service, needsId: false });
      if ('wrong' in read || read.repo.id !== '') return read;
      if (provider === undefined)
        return {
          found: `${name} before 16 does not say which repo its ID token is for, and this server cannot ask it.`,
          remedy: `Have the operator set ${setting}_TOKEN, or use the repo's own token.`,
        };
      const described = await provider.describeRepo({ repo: read.repo.name });
      // What is there now by that name may have been moved there.
      if (described?.name.toLowerCase() !== read.repo.name.toLowerCase()) return { wrong: 'repository' };
      return { ...read, repo: { id: described.id, name: described.name } };
    },
  };
}
