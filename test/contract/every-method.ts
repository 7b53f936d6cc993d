import type { Store } from '../../server/src/storage/store.ts';
import { newAccount, newSession } from './account-contract.ts';
import { closeWith } from './flip-ledger-contract.ts';
import { anImport, pieces } from './history-import-contract.ts';
import {
  accept,
  bytes,
  check,
  close,
  comment,
  facts,
  flag,
  hex,
  MINUTE,
  NO_LIMITS,
  pendingPost,
  putClosed,
  putRepo,
  result,
  SHA,
  say,
  status,
  T0,
} from './records.ts';

const REFUSED = {
  key: 'a',
  code: 'payload-invalid',
  sentence: 'Odd.',
  field: undefined,
  client: undefined,
  firstAt: T0,
  lastAt: T0,
  count: 1,
} as const;

type PartName = { [Name in keyof Store]: Store[Name] extends object ? Name : never }[keyof Store];

/** What a store keeps, each kind of thing by its name. */
function partsOf(store: Store): readonly PartName[] {
  return Object.entries(store).flatMap(([name, part]) => (typeof part === 'object' ? [name as PartName] : []));
}

/**
 * Calls every method of a store, in every form of its query; closes the store. `beforeSweep` may make what it stored
 * old. Answers the methods that there are and those that were called.
 */
export async function askEverything(
  store: Store,
  beforeSweep: () => Promise<void>,
): Promise<{ readonly methods: readonly string[]; readonly called: ReadonlySet<string> }> {
  const called = new Set<string>();
  const watched = watch(store, called);
  await askRepos(watched);
  await askPeople(watched);
  await askBuilds(watched);
  await askWorkers(watched);
  await askRemoval(watched);
  await watched.check();
  await beforeSweep();
  await watched.sweep();
  await watched.close();
  const methods = partsOf(store).flatMap((part) => Object.keys(store[part]).map((name) => `${part}.${name}`));
  return { methods: [...methods, 'check', 'sweep', 'close'], called };
}

function watch(store: Store, called: Set<string>): Store {
  const note = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get(from, name) {
        if (Reflect.has(from, name)) called.add(`${prefix}${String(name)}`);
        return Reflect.get(from, name) as unknown;
      },
    });
  const parts = partsOf(store).map((part) => [part, note(store[part], `${part}.`)]);
  return { ...note(store, ''), ...Object.fromEntries(parts), check: note(store, '').check } as Store;
}

async function askRepos({ repos, tokens }: Store): Promise<void> {
  const repo = await putRepo({ repos } as Store);
  await repos.find(repo.id);
  await repos.list({ after: undefined, limit: 1 });
  await repos.list({ after: repo, limit: 1 });
  await repos.findByName('github', repo.name);
  await repos.findByToken([`lookup of ${repo.name}`, 'another'], T0);
  await repos.readToken(repo.id);
  const token = { lookup: 'next', sealed: 's', expiresAt: undefined };
  await repos.replaceToken({ repoId: repo.id, token, oldUntil: T0 + MINUTE, at: T0 });
  for (const { id } of await repos.listTokens()) await repos.resealToken(id, { lookup: `again ${id}`, sealed: 't' });
  await repos.update({ repoId: repo.id, settings: { minimum: 80, defaultBranch: undefined }, at: T0 });
  const { id } = await tokens.create({ user: 'alice', role: 'user', hash: 'h', ending: 'wxyz', createdAt: T0 });
  await tokens.list();
  await tokens.findByHash('h');
  await tokens.revoke(id, T0);
  await repos.setHostToken({ repoId: repo.id, token: { sealed: 's', at: T0 } });
  await repos.follow({ repoId: repo.id, name: 'octo/renamed', providerId: '4711', at: T0 });
  await repos.findByProviderId('github', '4711');
  await repos.ofOwner('github', 'octo');
}

async function askPeople(store: Store): Promise<void> {
  const { accounts, sessions, members, shares, tokens } = store;
  const { id: repoId } = await putRepo(store, { name: 'octo/people' });
  const accountId = (await accounts.create(newAccount()))?.id ?? 0;
  await accounts.find(accountId);
  await accounts.findBySubject('local', 'alice');
  await accounts.list({ after: accountId, limit: 1 });
  await accounts.change(accountId, { name: 'A', signInCode: { hash: 'c', expiresAt: T0 } });
  await accounts.takeCode({ id: accountId, hash: 'c', at: T0 - 1 });
  for (const hash of ['1', '2']) await sessions.open(newSession(accountId, { hash }), 1);
  await sessions.find('1');
  await sessions.noteUse('1', T0);
  await sessions.ofAccount(accountId);
  await sessions.end('1');
  await sessions.endAll(accountId, '2');
  await members.put({ repoId, accountId, role: 'reader', by: 'alice', at: T0 });
  await members.role(repoId, accountId);
  await members.ofRepo(repoId);
  await members.ofAccount(accountId);
  await members.remove(repoId, accountId);
  await store.hostApps.put({ service: 'github', revision: 1, sealed: 's', at: T0 });
  await store.hostApps.put({ service: 'github', revision: 2, sealed: 's2', at: T0 });
  await store.hostApps.list();
  await store.hostApps.remove({ service: 'github', revision: 2 });
  const link = { repoId, hash: 'link', name: 'Board', source: false, by: 'alice', createdAt: T0, expiresAt: T0 };
  const share = await shares.create(link);
  await shares.findByHash('link');
  await shares.ofRepo(repoId);
  await shares.revoke(repoId, share?.id ?? 0);
  const erased = (await accounts.create(newAccount({ subject: 'erased' })))?.id ?? 0;
  await accounts.erase(erased, { tokens: [99], repos: [99], names: ['nobody'] });
  const person = { names: ['nobody'], emails: ['nobody@x.example'] };
  await store.persons.builds({ person, after: undefined, limit: 9 });
  await store.persons.builds({ person, after: 99, limit: 9 });
  await store.persons.eraseFromJobs({ person, after: undefined, limit: 9 });
  await tokens.ofAccount(accountId);
  await tokens.noteUse(1, T0);
}

async function askBuilds(store: Store): Promise<void> {
  const { jobs, builds } = store;
  const { id: repoId } = await putRepo(store, { name: 'octo/builds' });
  const sources = [{ digest: hex(1, 64), bytes: bytes('source') }];
  const first = await accept(store, repoId, { branch: 'main', serviceJobId: 'a' }, { sources });
  await accept(store, repoId, { serviceNumber: undefined, serviceJobId: 'b', testedCommit: hex(2) });
  await accept(store, repoId, { serviceNumber: undefined, serviceJobId: 'b', commit: undefined });
  await accept(store, repoId, { serviceNumber: undefined });
  await accept(store, repoId, { serviceNumber: undefined, commit: undefined });
  await accept(store, repoId, { serviceNumber: undefined, parallel: false });
  const limits = { ...NO_LIMITS, bytesPerDay: 1_000_000, openBuilds: 99 };
  await accept(store, repoId, { serviceNumber: '72', commit: hex(72) }, { limits });
  const quotas = [{ key: 'run 1', of: 'run', limit: 9_999 }] as const;
  await accept(store, repoId, { serviceNumber: '73', trust: 'run' }, { limits: { ...NO_LIMITS, quotas } });
  for (const trust of ['trusted', 'unverified'] as const)
    await store.views.list({ repoId, branch: undefined, trust, offset: 0, limit: 1 });
  await jobs.find(first.job.id);
  await jobs.ofBuild(first.build.id);
  await jobs.list({ buildId: first.build.id, offset: 0, limit: 2 });
  await jobs.reports([first.job.id]);
  await jobs.source(repoId, hex(1, 64));
  const before = T0 + 9;
  const removedBuilds = (await store.sources.begin({ repoId, notAfter: T0, at: T0 })) ?? 0;
  await store.sources.list({ repoId, after: '', before });
  await store.sources.remove({ repoId, digests: [hex(3, 64)], before });
  await store.sources.end({ repoId, removedBuilds });
  await builds.postPending(pendingPost((await builds.find(first.build.id)) ?? first.build));
  await putClosed(store, repoId, { pullRequest: 5, serviceNumber: '5' }, { flags: [flag('unit')] });
  await builds.report(first.build.id);
  for (let times = 0; times < 2; times += 1)
    await builds.requestClose({ repoId, buildNumber: '71', carryforward: undefined, at: T0 });
  await builds.requestClose({ repoId, buildNumber: undefined, carryforward: 'all', at: T0 });
  await builds.requestRerun({ repoId, buildNumber: '5', at: T0 });
  await builds.revise({ buildId: first.build.id, revision: { kind: 'revisit', at: T0 } });
  await builds.openEmpty({
    repoId,
    facts: facts({ serviceNumber: '99', commit: hex(9) }),
    because: 'carried',
    carryforward: 'all',
    quiet: 1,
    at: T0,
  });
  await builds.ofCommits(repoId, [SHA, hex(2)]);
  await builds.commitsStarting({ repoId, digits: SHA.slice(0, 7), limit: 2 });
  await builds.withMissingBase({ repoId, missingBases: [`commit:${SHA}`, 'branch:main'], limit: 5 });
  await builds.basedOn({ repoId, buildId: first.build.id, limit: 5 });
  await builds.ofServiceNumber(repoId, '71', 5);
  for (const key of ['sent-rules', 'first-parents/a']) await store.facts.add({ repoId, key, value: ['b'], at: T0 });
  await store.facts.put({ repoId, key: 'first-parents/a', value: ['b'], at: T0 });
  await store.facts.find(repoId, 'first-parents/a');
  const source = { digest: hex(2, 64), bytes: bytes('text') };
  const buildId = first.build.id;
  await store.mergedReports.put({ buildId, flag: 'ui', jobs: [1, 2], report: bytes('m') });
  const [merged] = await store.mergedReports.ofBuild(buildId);
  await store.mergedReports.read(buildId, [merged?.key ?? '']);
  await store.mergedReports.remove(buildId, [merged?.key ?? '']);
  await store.providerSources.put({ repoId, key: 'a/b.ts', source, maxBytes: 1, at: T0 });
  await store.providerSources.find(repoId, 'a/b.ts');
  await store.refusals.note({ ...REFUSED, repoId });
  await store.refusals.list(repoId, T0);
  await store.tokenUses.note({ repoId, named: '', client: 'a/1', at: T0 });
  await store.tokenUses.ofRepo(repoId);
  await askAudit(store);
  await store.usedIdTokens.use({ key: 'k', digest: 'd', expiresAt: T0 });
  await store.usedIdTokens.removeExpired(T0);
  await store.webhooks.note({ service: 'github', deliveredAt: T0, refused: 0, refusedAt: undefined });
  await store.webhooks.find('github');
  await closeWith(store, repoId);
  await store.flipLedgers.find(repoId, 'main', buildId);
  await store.flipLedgers.branches(repoId);
  await store.histories.begin(anImport(repoId), pieces('a'));
  for await (const _ of store.histories.parts(repoId));
  await store.histories.find(repoId);
  await store.histories.list();
  await store.histories.change(repoId, (was) => was);
  await store.histories.dropParts(repoId);
  await store.histories.remove(repoId);
  await store.transfers.addOlder(repoId, []);
  await askTransfers(store, repoId);
  await builds.ofPullRequest(repoId, 5, 9);
  await askReads(builds, repoId);
  await askReads(store.views, repoId);
  await store.views.find(first.build.id);
  await store.views.fileKinds(first.build.id);
  await store.views.flagNames(first.build.id, 9);
  await store.views.summary(first.build.id);
  await store.views.ofPullRequest({ repoId, pullRequest: 5, offset: 0, limit: 9 });
  await store.views.flag(first.build.id, 'unit');
  await store.views.trends({
    series: [
      { repoId, branch: 'main' },
      { repoId, branch: 'main', flag: 'unit' },
    ],
    bounds: [T0, T0 + MINUTE],
  });
  await store.views.branches(repoId, 9);
  await store.views.tags(repoId, 9);
  await store.views.activity([repoId]);
  await store.views.excludedBases(9);
  await store.views.newestPulls({ repoIds: [repoId], each: 9, limit: 9 });
  await store.views.pullHeads(repoId, 9);
  await store.views.ofIds([first.build.id]);
  await store.outbox.listGivenUp(9);
  for (const by of [{ pullRequest: 5 }, { commit: 'abc' }])
    await store.views.search({ repoIds: [repoId], by, limit: 9 });
  for (const failingFirst of [false, true])
    await store.views.flags({ buildId: first.build.id, failingFirst, offset: 1, limit: 10 });
}

async function askTransfers({ transfers, repos }: Store, repoId: number): Promise<void> {
  await transfers.buildsAfter({ repoId, sequence: 0, limit: 1 });
  await transfers.factsAfter({ repoId, key: '', limit: 1 });
  const repo = await repos.find(repoId);
  if (repo === undefined) throw new Error('the repo is gone');
  const named = { ...repo, name: 'octo/imported' };
  const added = await transfers.begin({ repo: named, lastBuildId: 1, lastJobId: 1 });
  await added.takeBuildIds([1]);
  await added.takeJobIds([1]);
  await added.addSources([{ digest: hex(1, 64), bytes: bytes('source') }]);
  await added.addFacts([{ key: 'a', at: T0, value: '1' }]);
  const token = { lookup: 'imported', sealed: 's', expiresAt: undefined };
  const audit = { by: { kind: 'command-line' }, action: 'repo.imported', at: T0 } as const;
  await added.finish({ repo: { ...named, id: added.repoId }, token, lastSequence: 0, builds: 0 }, audit);
  await added.discard();
  await transfers.clear();
}

async function askAudit({ audit }: Store): Promise<void> {
  await audit.record({ by: { kind: 'unknown' }, action: 'sign-in.failed', at: T0 - MINUTE });
  for (const repo of [undefined, 'github/octo/parser'])
    for (const action of [undefined, 'repo.renamed'] as const)
      for (const newestFirst of [true, false])
        await audit.list({ repo, action, since: 0, until: T0, newestFirst, beyond: newestFirst ? 99 : 0, limit: 9 });
  await audit.sweep(T0 - MINUTE);
}

/** What whole builds and summaries are found by. */
async function askReads(builds: Store['builds'] | Store['views'], repoId: number): Promise<void> {
  await builds.findByCommit(SHA);
  await builds.ofCommit(repoId, SHA);
  for (const branch of [undefined, 'main']) await builds.list({ repoId, branch, offset: 0, limit: 10 });
  for (const scope of ['repo', { branch: 'main' }, { pullRequest: 5 }] as const) {
    for (const before of [undefined, 9]) {
      const query = { repoId, scope, before, limit: 10 };
      await builds.closed(query);
      await builds.bases(query);
      await builds.bases({ ...query, notCommit: SHA });
      await builds.withFlag({ ...query, flag: 'unit' });
    }
  }
}

async function askWorkers(store: Store): Promise<void> {
  const { builds, outbox } = store;
  const { id: repoId } = await putRepo(store, { name: 'octo/workers' });
  // Due by the clock of the machine, which a store may go by.
  const at = Date.now() - MINUTE;
  const { build } = await accept(store, repoId, { pullRequest: 5 }, { at });
  const messages = [say(status('success')), say(status('success'), 'other'), comment('Hello', 5), check(3)];
  const closed = await close(store, build, { result: result(), target: SHA, messages, at });
  await accept(store, repoId, { serviceNumber: '72', commit: hex(2) }, { at });
  const { id: other } = await putRepo(store, { name: 'octo/others' });
  const { build: removed } = await accept(store, other, {}, { at });
  await accept(store, other, { serviceNumber: '72', commit: hex(2) }, { at });
  await close(store, removed, { target: SHA, messages: [say(status('success'))], at });
  await builds.nextDueAt();
  for (const limit of [1, 3])
    for (const { id } of await builds.claimDue({ at, lease: MINUTE, limit }))
      await builds.release({ buildId: id, retryAt: T0 });
  await builds.listSetAside(5);
  // By a process that no longer knows its lease.
  await builds.release({ buildId: build.id, retryAt: T0 });
  for (const { id } of await builds.claimDue({ at, lease: MINUTE, limit: 3 }))
    await builds.release({ buildId: id, retryAt: T0 });
  await outbox.nextDueAt();
  for (const record of await outbox.claim({ at: Date.now(), lease: MINUTE, limit: 1 }))
    await outbox.retry({ id: record.id, at, uncertain: false, commentId: undefined });
  const [one, two, three] = await outbox.claim({ at: Date.now(), lease: MINUTE, limit: 3 });
  if (one === undefined || two === undefined || three === undefined) throw new Error('nothing is to be delivered');
  await outbox.delivered({ id: one.id, ...one.wanted, commentId: undefined, at });
  await outbox.retry({ id: two.id, at, uncertain: true, commentId: undefined });
  await store.measure(at);
  await outbox.giveUp({ id: three.id, version: 1, reason: 'No access.' });
  await outbox.ofBuild(closed);
  await outbox.ofBuild(closed, { parked: true, limit: 10 });
  await outbox.resume(at, closed.repoId);
  await outbox.resume(at);
  await outbox.voidLeases();
  await builds.remove(removed.id);
}

async function askRemoval(store: Store): Promise<void> {
  const { id: repoId } = await putRepo(store, { name: 'octo/removed' });
  const { build } = await accept(store, repoId);
  const at = Date.now() - MINUTE;
  const deliver = async (): Promise<void> => {
    for (const { id, wanted, ...record } of await store.outbox.claim({ at: Date.now(), lease: MINUTE, limit: 9 }))
      if (record.repoId === repoId) await store.outbox.delivered({ id, ...wanted, commentId: undefined, at });
  };
  await close(store, build, { target: SHA, messages: [say(status('pending'))], at });
  await deliver();
  await store.repos.remove({ repoId, description: 'repo was removed', at });
  await deliver();
}
