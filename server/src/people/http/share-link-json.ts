import type { ShareLink } from '../../core/repo/account.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { toSeconds } from '../../core/time.ts';
import type { Answer } from '../../platform/http/openapi/answer.ts';
import type { Addresses } from '../../platform/web/addresses.ts';

/** One of a list: never the token. */
export function presentShareLink({ id, name, source, by, createdAt, expiresAt }: ShareLink) {
  return {
    id,
    name,
    source,
    created_by: by,
    created_at: toSeconds(createdAt),
    expires_at: toSeconds(expiresAt),
  };
}

/** The answer that makes one: the only time that its token can be seen. */
export function presentNewShareLink(made: MadeShareLink, addresses: Addresses): Answer<'newShareLink'> {
  const { link, token } = made;
  return { share_link: { ...presentShareLink(link), token, url: shareAddress(made, addresses) } };
}

interface MadeShareLink {
  readonly repo: Repo;
  readonly link: ShareLink;
  readonly token: string;
}

/** What is given to anybody who may read the repo by it. */
export function shareAddress({ repo, token }: Omit<MadeShareLink, 'link'>, addresses: Addresses): string {
  return `${addresses.repo(repo.service, repo.name)}?share=${token}`;
}
