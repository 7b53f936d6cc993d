import { ERASED_NAME, type ErasedPerson } from '../core/builds/erased-person.ts';
import { type Account, userOf } from '../core/repo/account.ts';
import { auditBy, COMMAND_LINE } from '../core/repo/audit.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import type { PersonMark, PersonPart } from '../storage/person-store.ts';

/** Whose data: an account, the addresses of somebody's commits, or both. */
export interface PersonWanted {
  readonly account: Account | undefined;
  readonly emails: readonly string[];
}

/** How many were changed. */
export interface ErasedFromBuilds {
  readonly builds: number;
  readonly jobs: number;
  /** Whose ratchet they lowered. */
  readonly repos: number;
}

/** Rows that are looked at in one go: the server may write between two. */
const PART = 500;
const REPOS = 100;

type Stores = Pick<Services, 'persons' | 'builds' | 'repos' | 'audit' | 'clock'>;

/**
 * Takes somebody out of all builds, jobs and settings: names under what they accepted, excluded or lowered, and who
 * wrote a commit. What is repeated completes what was cut off.
 */
export async function erasePerson(services: Stores, wanted: PersonWanted): Promise<ErasedFromBuilds> {
  const { persons, builds, audit, clock } = services;
  const person = personOf(wanted);
  let jobs = 0;
  await goThrough(person, async (part) => {
    const { jobs: changed, next } = await persons.eraseFromJobs(part);
    jobs += changed;
    return next;
  });
  let changed = 0;
  await goThrough(person, async (part) => {
    const { ids, next } = await persons.builds(part);
    for (const buildId of ids)
      await builds.revise({ buildId, revision: { kind: 'person-erased', person, at: clock.now() } });
    changed += ids.length;
    return next;
  });
  const account = wanted.account && { account: wanted.account.id };
  const after = { builds: changed, jobs, repos: await eraseFromRepos(services, person) };
  await audit.record(auditBy(COMMAND_LINE, { action: 'person.erased', at: clock.now(), after, ...account }));
  return after;
}

/** Who lowered a ratchet is kept in the settings of its repo. */
async function eraseFromRepos({ repos, clock }: Stores, { names }: ErasedPerson): Promise<number> {
  let changed = 0;
  for (let after: Repo | undefined; ; ) {
    const some = await repos.list({ after, limit: REPOS });
    for (const { id, settings } of some) {
      const { ratchetReset: last } = settings;
      if (last === undefined || !names.includes(last.by)) continue;
      const change = { ratchetReset: { ...last, by: ERASED_NAME } };
      if (await repos.update({ repoId: id, settings: change, at: clock.now() })) changed += 1;
    }
    after = some.at(-1);
    if (after === undefined) return changed;
  }
}

/** An account's own address is one of theirs. */
export function personOf({ account, emails }: PersonWanted): ErasedPerson {
  const all = [...emails, ...(account?.email === undefined ? [] : [account.email])];
  return {
    names: account === undefined ? [] : [...new Set([account.name, userOf(account)])],
    emails: [...new Set(all.map((email) => email.trim().toLowerCase()))],
  };
}

async function goThrough(
  person: ErasedPerson,
  look: (part: PersonPart) => Promise<PersonMark | undefined>,
): Promise<void> {
  let after: PersonMark | undefined;
  do {
    after = await look({ person, after, limit: PART });
  } while (after !== undefined);
}
