import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Timestamp } from '../../server/src/core/time.ts';
import type { Store } from '../../server/src/storage/store.ts';
import { describeAccounts } from './account-contract.ts';
import { describeAudit } from './audit-contract.ts';
import { describeBaseQuestions } from './base-contract.ts';
import { describeBuildHistory } from './build-history-contract.ts';
import { describeBuildPages } from './build-pages-contract.ts';
import { describeBuildTrends } from './build-trends-contract.ts';
import { describeBuildViews } from './build-views-contract.ts';
import { describeCloses } from './close-contract.ts';
import { describeDiffs } from './diff-contract.ts';
import { describeDueBuilds } from './due-contract.ts';
import { describeExpectedJobs } from './expected-jobs-contract.ts';
import { describeFacts } from './fact-contract.ts';
import { describeFlipLedgers } from './flip-ledger-contract.ts';
import { describeForkRuns } from './fork-run-contract.ts';
import { describeGroups } from './group-contract.ts';
import { describeHistoryImports } from './history-import-contract.ts';
import { describeHostApps } from './host-app-contract.ts';
import { describeUsedIdTokens } from './id-token-contract.ts';
import { describeJobs } from './job-contract.ts';
import { describeLimits } from './limits-contract.ts';
import { describeMeasure } from './measure-contract.ts';
import { describeMergedReports } from './merged-report-contract.ts';
import { describeOlderBuilds } from './older-builds-contract.ts';
import { describeOutbox } from './outbox-contract.ts';
import { describeOwnership } from './ownership-contract.ts';
import { describePersons } from './person-contract.ts';
import { describeProviderSources } from './provider-source-contract.ts';
import { accept, bytes, close, PERIODS, putRepo, SHA, say, status, T0 } from './records.ts';
import { describeRefusals } from './refusal-contract.ts';
import { describeRemoval } from './removal-contract.ts';
import { describeRepos, describeTokens } from './repo-contract.ts';
import { describeReruns } from './rerun-contract.ts';
import { describeRetention } from './retention-contract.ts';
import { describeTransfers } from './transfer-contract.ts';
import { describeUnnamedTexts } from './unnamed-text-contract.ts';
import { describeWebhooks } from './webhook-contract.ts';

export interface OpenedStore {
  readonly store: Store;
  /** Sets the clock of a store that goes by its own. */
  readonly setTime?: (at: Timestamp) => void;
  /** Closes the store and opens it again; undefined if nothing outlives it. */
  readonly reopen?: () => Promise<Store>;
}

/** The store of the running test: a new, empty one each time. */
export interface Subject {
  readonly store: Store;
  /** From now on it is `at`, for a store that goes by its own clock; answers it. */
  readonly itIs: (at: Timestamp) => Timestamp;
}

/** What every adapter of the store port must do, whatever is underneath. */
export function describeStore(name: string, open: () => Promise<OpenedStore>): void {
  describeOpened(name, open, (subject) => {
    it('answers a check, and closes more than once', async () => {
      await subject.store.check();
      await subject.store.close();
      await subject.store.close();
    });
    it('is unavailable once closed', async () => {
      await subject.store.close();
      await expect(subject.store.repos.find(1)).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' });
      await expect(subject.store.check()).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' });
    });
    describeRepos(subject);
    describeTokens(subject);
    describeAccounts(subject);
    describeGroups(subject);
    describeAudit(subject);
    describeJobs(subject);
    describeExpectedJobs(subject);
    describeMergedReports(subject);
    describeDiffs(subject);
    describeLimits(subject);
    describeCloses(subject);
    describeReruns(subject);
    describeRetention(subject);
    describeUnnamedTexts(subject);
    describeBuildHistory(subject);
    describeBuildPages(subject);
    describeBuildViews(subject);
    describeBuildTrends(subject);
    describeRefusals(subject);
    describeUsedIdTokens(subject);
    describeHostApps(subject);
    describeWebhooks(subject);
    describeBaseQuestions(subject);
    describeFacts(subject);
    describeFlipLedgers(subject);
    describePersons(subject);
    describeProviderSources(subject);
    describeDueBuilds(subject);
    describeOutbox(subject);
    describeMeasure(subject);
    describeOwnership(subject);
    describeForkRuns(subject);
    describeRemoval(subject);
    describeTransfers(subject);
    describeOlderBuilds(subject);
    describeHistoryImports(subject);
  });
}

/** What concerns the accepts of jobs. */
export function describeAccepts(name: string, open: () => Promise<OpenedStore>): void {
  describeOpened(name, open, (subject) => {
    describeJobs(subject);
    describeExpectedJobs(subject);
    describeDiffs(subject);
    describeLimits(subject);
    describeForkRuns(subject);
    describeUnnamedTexts(subject);
    describeRemoval(subject);
  });
}

function describeOpened(name: string, open: () => Promise<OpenedStore>, suites: (subject: Subject) => void): void {
  describe(name, () => {
    let opened: OpenedStore | undefined;
    const subject: Subject = {
      get store() {
        if (opened === undefined) throw new Error('no test is running');
        return opened.store;
      },
      itIs(at) {
        opened?.setTime?.(at);
        return at;
      },
    };
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => subject.store.close());
    suites(subject);
  });
}

/** What a store that outlives its process must do. */
export function describeReopening(
  name: string,
  open: () => Promise<OpenedStore & { readonly reopen: () => Promise<Store> }>,
): void {
  describe(name, () => {
    it('keeps everything', async () => {
      const { store, reopen } = await open();
      const repo = await putRepo(store);
      const source = { digest: 'd'.repeat(64), bytes: bytes('source') };
      const { build, job } = await accept(
        store,
        repo.id,
        { parallel: false },
        { sources: [source], report: bytes('report') },
      );
      const closed = await close(store, build, {
        target: SHA,
        messages: [say(status('success'))],
        report: bytes('merged'),
      });
      const late = await accept(store, repo.id, {}, { at: T0 + 1 });
      const token = await store.tokens.create({
        user: 'alice',
        role: 'user',
        hash: 'h',
        ending: 'wxyz',
        createdAt: T0,
      });

      const again = await reopen();
      expect(await again.repos.find(repo.id)).toEqual(repo);
      expect(await again.repos.findByToken([`lookup of ${repo.name}`], T0)).toEqual(repo);
      expect(await again.jobs.find(job.id)).toEqual(job);
      expect(await again.jobs.reports([job.id])).toEqual([bytes('report')]);
      expect(await again.jobs.source(repo.id, source.digest)).toEqual(source);
      expect(await again.builds.find(build.id)).toEqual(late.build);
      expect(
        (await again.builds.closed({ repoId: repo.id, scope: 'repo', before: undefined, limit: 5 }))[0]?.result,
      ).toEqual(closed.result);
      expect(await again.builds.report(build.id)).toEqual(bytes('merged'));
      expect(await again.builds.nextDueAt()).toBe(T0 + 1 + PERIODS.late);
      expect(await again.outbox.ofBuild({ repoId: repo.id, target: SHA, pullRequest: undefined })).toHaveLength(1);
      expect(await again.tokens.findByHash('h')).toEqual(token);
      await again.close();
    });

    it('gives no id and no sequence twice, whatever was removed before', async () => {
      const { store, reopen } = await open();
      const repo = await putRepo(store);
      const first = await accept(store, repo.id);
      await store.repos.remove({ repoId: repo.id, description: 'repo was removed', at: T0 });
      const again = await reopen();
      const next = await putRepo(again);
      const second = await accept(again, next.id);
      expect(next.id).toBeGreaterThan(repo.id);
      expect(second.build.id).toBeGreaterThan(first.build.id);
      expect(second.job.id).toBeGreaterThan(first.job.id);
      expect(second.build.sequence).toBe(1);
      await again.close();
    });
  });
}
