import { Failure, quoteValue } from '../../../domain/failure.ts';
import { type RepoAddress, readRepoAddress } from '../../../domain/repo/repo-name.ts';

/** The repo that a path spells, decoded once by the router; a Failure `not-found` for what no repo is called. */
export function readRepoPath(service: string, name: string): RepoAddress {
  const address = readRepoAddress(service, name.replace(/\/$/, ''));
  if (address !== undefined) return address;
  throw new Failure(
    'not-found',
    `There is no repo ${quoteValue(`${service}/${name}`)}: a repo is <service>/<owner>/<name>.`,
  );
}
