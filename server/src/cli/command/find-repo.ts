import { Failure, quoteValue } from '../../core/failure.ts';
import { auditName } from '../../core/repo/audit.ts';
import { REPO_SERVICES, type Repo } from '../../core/repo/repo.ts';
import { isRepoService } from '../../core/repo/repo-name.ts';
import type { Store } from '../../storage/store.ts';

/** By `<service>/<name>`, or by its name where one service has it. */
export async function findRepo({ repos }: Store, text: string): Promise<Repo> {
  const slash = text.indexOf('/');
  const service = text.slice(0, slash);
  const whole = isRepoService(service) ? await repos.findByName(service, text.slice(slash + 1)) : undefined;
  if (whole !== undefined) return whole;
  const found = (await Promise.all(REPO_SERVICES.map((one) => repos.findByName(one, text)))).filter(
    (repo) => repo !== undefined,
  );
  const [repo, another] = found;
  if (repo === undefined) throw new Failure('not-found', `There is no repo ${quoteValue(text)} in this database.`);
  if (another !== undefined)
    throw new Failure('conflict', `Several repos have that name. Choose one: ${found.map(auditName).join(', ')}.`);
  return repo;
}
