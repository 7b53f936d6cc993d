import { quoteValue } from '../failure.ts';
import { NESTING_SERVICES, REPO_SERVICES, type RepoService } from './repo.ts';

/** What names a repo from outside: its service and `<owner>/<name>`. */
export interface RepoAddress {
  readonly service: RepoService;
  readonly name: string;
}

/** Whether a text is one of the services of the API (api.md "Repos"). */
export function isRepoService(text: unknown): text is RepoService {
  return REPO_SERVICES.some((service) => service === text);
}

/** Characters that hosts allow in names, and no others: a name becomes part of URLs, paths and Markdown. */
const SEGMENT = /^[A-Za-z0-9._~-]{1,100}$/;

/**
 * What is wrong with a repo's name, as the end of a sentence ("… must be"), or undefined when it is well formed.
 * If groups nest, names may have more than two segments.
 */
export function findNameProblem(service: RepoService, name: string): string | undefined {
  const segments = name.split('/');
  const nested = NESTING_SERVICES.has(service);
  if (nested ? segments.length < 2 : segments.length !== 2) {
    return `<owner>/<name>${nested ? ' (or <group>/<subgroup>/<name>)' : ''}, not ${quoteValue(name)}`;
  }
  const wrong = segments.find((segment) => !SEGMENT.test(segment) || segment === '.' || segment === '..');
  if (wrong === undefined) return undefined;
  return repoNameForm(quoteValue(wrong));
}

/** The address that a path spells, its parts already URL-decoded; undefined when no repo can have it. */
export function readRepoAddress(service: string, name: string): RepoAddress | undefined {
  if (!isRepoService(service) || findNameProblem(service, name) !== undefined) return undefined;
  return { service, name };
}

function repoNameForm(part: string): string {
  const form = 'made of parts of 1 to 100 letters, digits or the characters . _ ~ - (and not . or ..)';
  return `${form}; the part ${part} is not`;
}
