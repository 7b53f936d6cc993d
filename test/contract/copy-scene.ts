import { createHash } from 'node:crypto';
import type { Store } from '../../server/src/storage/store.ts';
import { newAccount, newSession } from './account-contract.ts';
import { aLedger, closeWith } from './flip-ledger-contract.ts';
import {
  accept,
  bytes,
  check,
  close,
  comment,
  flag,
  hex,
  MINUTE,
  pendingPost,
  putClosed,
  putRepo,
  result,
  SHA,
  say,
  status,
  T0,
} from './records.ts';

/** More than one document of MongoDB holds, and than one batch. */
const LARGE = 17 * 1_048_576;

/** A little of everything that a store may hold. */
export async function fillStore(store: Store): Promise<void> {
  const main = await putRepo(store, { providerId: '4711' });
  await fillTokens(store, main.id);
  await fillPeople(store, main.id);
  for (const key of ['parents/a', 'é', 'Z/b/c'])
    await store.facts.put({ repoId: main.id, key, value: { of: [key] }, at: T0 });
  await store.repos.update({ repoId: main.id, settings: { minimum: 80, defaultBranch: 'trunk' }, at: T0 + 1 });
  const other = await putRepo(store, { name: 'Octo/Other', service: 'gitlab' });
  await store.repos.setHostToken({ repoId: other.id, token: { sealed: 'sealed', at: T0 } });
  await store.repos.follow({
    repoId: other.id,
    suspended: 'The name came to mean another repo.',
    providerId: '8',
    at: T0,
  });
  await store.audit.record({ by: { kind: 'admin-token' }, action: 'settings.changed', at: T0, after: { minimum: 8 } });
  await fillBuilds(store, main.id);
  await fillBuilds(store, other.id);
  await fillLate(store, main.id);
  for (const branch of ['main', 'release/1.0/2', '7']) await closeWith(store, main.id, { branch, ledger: aLedger(3) });
  await fillDeliveries(store);
  await removeSome(store);
}

async function fillTokens({ repos, tokens }: Store, repoId: number): Promise<void> {
  const token = { lookup: 'lookup of the second', sealed: 'sealed', expiresAt: undefined };
  await repos.replaceToken({ repoId, token, oldUntil: T0 + 60 * MINUTE, at: T0 });
  const person = { user: 'alice', role: 'user', ending: 'wxyz', createdAt: T0 } as const;
  await tokens.create({ ...person, hash: 'h1' });
  const { id } = await tokens.create({ ...person, hash: 'h2', role: 'administrator' });
  await tokens.revoke(id, T0 + 1);
}

async function fillPeople(store: Store, repoId: number): Promise<void> {
  const { accounts, sessions, members, shares, tokens, hostApps } = store;
  for (const service of ['github', 'gitlab'] as const)
    await hostApps.put({ service, revision: 1, sealed: `sealed ${service}`, at: T0 });
  const subjects = ['alice', ...Array.from({ length: 10 }, (_, n) => `é ${n}`)];
  const made = await Promise.all(subjects.map((subject) => accounts.create(newAccount({ subject, groups: ['qa'] }))));
  // Ids of one digit and of two: they are in order as numbers.
  for (const account of made)
    await members.put({ repoId, accountId: account?.id ?? 0, role: 'reader', by: 'alice', at: T0 });
  const link = { repoId, hash: 'link', name: 'Board', source: false, by: 'alice', createdAt: T0, expiresAt: T0 + 1 };
  for (const hash of ['link', 'link 2']) await shares.create({ ...link, hash });
  const accountId = made[0]?.id ?? 0;
  await sessions.open(newSession(accountId), 9);
  await tokens.create({ user: 'alice', role: 'user', hash: 'h3', ending: 'z', createdAt: T0, accountId, name: 'ci' });
}

const BASE = {
  buildId: 1,
  number: '71',
  commit: SHA,
  branch: 'main',
  rule: 'previous-on-branch',
  commitsAway: undefined,
  closeCount: 1,
} as const;

async function fillBuilds(store: Store, repoId: number): Promise<void> {
  const source = { digest: hex(repoId, 64), bytes: bytes('source') };
  const shared = { digest: 'd'.repeat(64), bytes: new Uint8Array() };
  await accept(
    store,
    repoId,
    { branch: 'main', flag: 'unit', diff: { base: hex(1), head: SHA, digest: `diff-${hex(9, 64)}` } },
    {
      sources: [source, shared, { digest: `diff-${hex(9, 64)}`, bytes: bytes('packed diff') }],
      warnings: ['Ein „seltsames“ \ud83d\ude00'],
    },
  );
  await accept(store, repoId, { branch: 'main', flag: 'e2e', serviceJobId: 'j2' }, { sources: [shared] });
  await accept(store, repoId, { serviceNumber: undefined, serviceJobId: 'only-a-job', commit: undefined });
  await accept(store, repoId, { serviceNumber: undefined, commit: hex(7) });
  await accept(store, repoId, { serviceNumber: undefined, parallel: false, commit: hex(8), trust: 'run' });
  const pull = await accept(store, repoId, {
    serviceNumber: '5',
    pullRequest: 5,
    commit: hex(5),
    testedCommit: hex(6),
  });
  await store.builds.postPending(
    pendingPost(pull.build, { target: hex(5), openedContexts: [{ context: 'coverage', flag: undefined }] }),
  );
  const flags = [flag('unit'), flag('old', 'carried')];
  for (const sequence of [1, 2, 3]) {
    const commit = hex(100 + sequence);
    await putClosed(
      store,
      repoId,
      { serviceNumber: `n${sequence}`, branch: 'main', commit, tag: sequence === 3 },
      { flags, base: BASE },
    );
  }
  await store.builds.requestClose({ repoId, buildNumber: 'n1', carryforward: 'all', at: T0 + 2 });
}

/** Builds that were closed and are closed again, one of them put off. */
async function fillLate(store: Store, repoId: number): Promise<void> {
  const large = new Uint8Array(LARGE).map((_, index) => (index * index) >> 7);
  const { build } = await accept(store, repoId, { serviceNumber: 'large', branch: 'main' }, { report: large });
  await close(store, build, {
    report: large.toReversed(),
    after: { missingBases: ['branch main', 'é'], revisitAt: T0 + 200 * MINUTE },
  });
  await accept(store, repoId, { serviceNumber: 'large', serviceAttempt: 2, flag: 'late' }, { at: T0 + MINUTE });
  const putOff = await accept(store, repoId, { serviceNumber: 'put off', parallel: false });
  await store.builds.release({ buildId: putOff.build.id, retryAt: T0 + 90 * MINUTE });
  await store.builds.requestRerun({ repoId, buildNumber: 'n2', at: T0 + 3 });
  await store.builds.requestClose({ repoId, buildNumber: undefined, carryforward: ['unit'], at: T0 + 4 });
}

/** One that arrived, one whose outcome is unknown, one given up, and some that are waited for. */
async function fillDeliveries(store: Store): Promise<void> {
  const { id: repoId } = await putRepo(store, { name: 'octo/announced' });
  const { build } = await accept(store, repoId, { pullRequest: 9 });
  const messages = ['a', 'b', 'c'].map((name) => say(status('pending'), `coverage (${name})`));
  await close(store, build, { target: SHA, messages: [...messages, comment('Hello', 9), check(3)] });
  const [one, two, three] = await store.outbox.claim({ at: T0, lease: MINUTE, limit: 3 });
  if (one === undefined || two === undefined || three === undefined) throw new Error('nothing is to be delivered');
  await store.outbox.delivered({ id: one.id, ...one.wanted, commentId: 3_000_000_000, at: T0 });
  await store.outbox.retry({ id: two.id, at: T0 + 7 * MINUTE, uncertain: true, commentId: undefined });
  await store.outbox.giveUp({ id: three.id, version: three.wanted.version, reason: 'No access.' });
}

/** The last repo leaves an open context behind, and ids that are not given again. */
async function removeSome(store: Store): Promise<void> {
  const { id: repoId } = await putRepo(store, { name: 'octo/removed' });
  const { build } = await accept(store, repoId, { commit: hex(3) });
  await close(store, build, { target: hex(3), messages: [say(status('pending'), 'coverage', hex(3))] });
  await store.repos.remove({ repoId, description: 'repo was removed', at: T0 + 5 });
}

const MAX = 40;
const IDS = Array.from({ length: MAX }, (_, index) => index + 1);

/** What a store answers to every query, bytes as their SHA-256. */
export async function askStore(store: Store): Promise<unknown> {
  const { repos, tokens, builds, outbox, facts, flipLedgers } = store;
  const [ofRepos, ofBuilds, ofJobs] = [await askRepos(store), await askBuilds(store), await askJobs(store)];
  return {
    ofRepos,
    ofBuilds,
    ofJobs,
    audit: await store.audit.list({ newestFirst: true, limit: MAX }),
    tokens: [await tokens.list(), await tokens.findByHash('h1'), await tokens.findByHash('h2')],
    repoTokens: await repos.listTokens(),
    byToken: await all(['lookup of octo/parser', 'lookup of the second'], (lookup) => repos.findByToken([lookup], T0)),
    expired: await repos.findByToken(['lookup of octo/parser'], T0 + 61 * MINUTE),
    byCommit: await all([SHA, hex(5), hex(6), hex(101)], (commit) => builds.findByCommit(commit)),
    facts: await all(['parents/a', 'é', 'Z/b/c', 'x'], (key) => facts.find(1, key)),
    ledgers: await all(['main', 'release/1.0/2', '7'], (branch) => flipLedgers.find(1, branch)),
    due: [await builds.nextDueAt(), await outbox.nextDueAt()],
  };
}

async function askRepos({ repos, builds, jobs }: Store): Promise<unknown> {
  return all(IDS.slice(0, 8), async (repoId) => {
    const repo = await repos.find(repoId);
    const scopes = ['repo', { branch: 'main' }, { pullRequest: 5 }] as const;
    const queries = scopes.flatMap((scope) =>
      [undefined, 9].map((before) => ({ repoId, scope, before, limit: 10, notCommit: hex(101) })),
    );
    return {
      repo,
      byProviderId: repo?.providerId && (await repos.findByProviderId(repo.service, repo.providerId)),
      byName: repo && (await repos.findByName(repo.service, repo.name.toUpperCase())),
      token: await repos.readToken(repoId),
      sources: await all([hex(repoId, 64), 'd'.repeat(64), `diff-${hex(9, 64)}`], async (digest) =>
        sha256((await jobs.source(repoId, digest))?.bytes),
      ),
      ofCommit: await all([SHA, hex(5), hex(101)], (commit) => builds.ofCommit(repoId, commit)),
      ofCommits: await builds.ofCommits(repoId, [hex(5), hex(101), hex(102)]),
      withMissingBase: await builds.withMissingBase({ repoId, missingBases: ['x', 'é'], limit: 9 }),
      basedOn: await builds.basedOn({ repoId, buildId: 1, limit: 9 }),
      ofNumber: await builds.ofServiceNumber(repoId, '71', 9),
      ofPull: await builds.ofPullRequest(repoId, 5, 9),
      lists: await all([undefined, 'main'], (branch) => builds.list({ repoId, branch, offset: 1, limit: 5 })),
      closed: await all(queries, (query) => builds.closed(query)),
      bases: await all(queries, (query) => builds.bases(query)),
      withFlag: await all(queries, (query) => builds.withFlag({ ...query, flag: 'unit' })),
    };
  });
}

async function askBuilds({ builds, jobs, outbox }: Store): Promise<unknown> {
  return all(IDS, async (id) => {
    const build = await builds.find(id);
    return {
      build,
      report: sha256(await builds.report(id)),
      jobs: await jobs.ofBuild(id),
      announced: build && (await outbox.ofBuild({ ...build, target: build.target ?? SHA })),
    };
  });
}

async function askJobs({ jobs }: Store): Promise<unknown> {
  return all(IDS, async (id) => {
    const job = await jobs.find(id);
    return { job, report: job && (await jobs.reports([id])).map(sha256) };
  });
}

async function all<T, U>(items: readonly T[], ask: (item: T) => Promise<U>): Promise<readonly U[]> {
  const answers: U[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}

function sha256(value: Uint8Array | undefined): string | undefined {
  return value && createHash('sha256').update(value).digest('hex');
}

/** What workers would do, in their order, until long after everything is due. */
export async function workThrough(store: Store, at: number): Promise<unknown> {
  const lease = 60 * MINUTE;
  return {
    builds: (await store.builds.claimDue({ at, lease, limit: MAX })).map(({ id }) => id),
    deliveries: await store.outbox.claim({ at, lease, limit: MAX }),
  };
}

/**
 * A store that was copied continues: jobs join their builds, the same job is known, ids and sequences go on above the
 * old ones.
 */
export async function goOn(store: Store, repoId: number): Promise<unknown> {
  const joined = await accept(store, repoId, { branch: 'main', flag: 'third' }, { contentDigest: hex(1, 64) });
  const repeated = await accept(store, repoId, { branch: 'main', flag: 'third' }, { contentDigest: hex(1, 64) });
  const numberless = await accept(
    store,
    repoId,
    { serviceNumber: undefined, commit: hex(7) },
    { contentDigest: hex(2, 64) },
  );
  const stated = { serviceNumber: 'n3', commit: hex(200), branch: 'main' };
  const opened = await Promise.all(
    [1, 2, 3].map((one) => accept(store, repoId, stated, { contentDigest: hex(10 + one, 64) })),
  );
  const first = opened[0]?.build;
  const closed = first && (await store.builds.find(first.id));
  if (closed !== undefined)
    await close(store, closed, {
      result: result(),
      target: hex(200),
      messages: [say(status('success'), 'x', hex(200))],
    });
  const repo = await putRepo(store, { name: 'octo/new' });
  return {
    joined: [joined.build.id, joined.job.number],
    repeated: [repeated.repeated, repeated.job.id === joined.job.id],
    numberless: [numberless.build.id, numberless.job.number],
    opened: [new Set(opened.map(({ build }) => build.id)).size, first?.id, first?.sequence],
    delivery: (await store.outbox.ofBuild({ repoId, target: hex(200), pullRequest: undefined })).map(({ id }) => id),
    repo: repo.id,
  };
}
