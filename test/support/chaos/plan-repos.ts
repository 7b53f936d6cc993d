import { shaOf } from '../coverage-api.ts';

/** A repo, what numbers its CI gives, and the flags of its jobs. */
export interface PlannedRepo {
  readonly name: string;
  /**
   * `run`: one series. `branch`: a series for each branch and pull request, so that builds share numbers. `none`: no
   * numbers.
   */
  readonly numbers: 'run' | 'branch' | 'none';
  readonly flags: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** How many for a hundred builds. */
  readonly share: number;
}

export const REPOS: readonly PlannedRepo[] = [
  { name: 'acme/shop', numbers: 'run', flags: ['unit', 'browser', 'api'], settings: {}, share: 45 },
  {
    name: 'acme/till',
    numbers: 'branch',
    flags: ['unit', 'E2E (slow)'],
    settings: { commit_status_fail_change_threshold: 5 },
    share: 35,
  },
  {
    name: 'acme/desk',
    numbers: 'none',
    flags: ['unit', 'docs'],
    settings: { commit_status_fail_threshold: 20 },
    share: 20,
  },
];

/** A commit's sha from what it is. */
export function commitNamed(repo: PlannedRepo, what: string): string {
  return shaOf(`${repo.name} ${what}`);
}
