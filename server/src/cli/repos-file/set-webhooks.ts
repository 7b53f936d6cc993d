import { Failure, quoteValue } from '../../core/failure.ts';
import { isRepoService, type RepoAddress } from '../../core/repo/repo-name.ts';
import { type Output, reasonOf, summary } from './output.ts';
import { keyOf, type ReposApi } from './repos-api.ts';

/**
 * Makes or repairs the webhooks of the repos that are named, or of all of a service. Answers the exit code; throws a
 * Failure if it cannot go on.
 */
export async function setWebhooks(
  { names, dryRun }: { readonly names: readonly string[]; readonly dryRun: boolean },
  api: ReposApi,
  { print, note }: Output,
): Promise<number> {
  const outcomes: string[] = [];
  for (const repo of await findNamed(api, names)) {
    const { outcome, reason } = dryRun ? { outcome: 'set' } : await setWebhook(api, repo);
    print(`${outcome.padEnd(9)} ${repo.service}/${repo.name}`);
    if (reason !== undefined) print(`    ${reason}`);
    outcomes.push(outcome);
  }
  print(summary(outcomes));
  if (dryRun) note('A dry run: nothing was changed.');
  return outcomes.includes('refused') ? 1 : 0;
}

interface Done {
  readonly outcome: string;
  readonly reason?: string;
}

async function setWebhook(api: ReposApi, repo: RepoAddress): Promise<Done> {
  try {
    return { outcome: await api.setWebhook(repo) };
  } catch (error) {
    return { outcome: 'refused', reason: reasonOf(error) };
  }
}

async function findNamed(api: ReposApi, names: readonly string[]): Promise<readonly RepoAddress[]> {
  const listed = await api.list();
  return names.flatMap((name) => {
    if (isRepoService(name)) return [...listed.values()].filter(({ service }) => service === name);
    const [service = '', ...parts] = name.split('/');
    const repo = isRepoService(service) ? listed.get(keyOf({ service, name: parts.join('/') })) : undefined;
    if (repo !== undefined) return [repo];
    throw new Failure('not-found', `The server shows no repo ${quoteValue(name)} to the holder of COVERAGE_TOKEN.`);
  });
}
