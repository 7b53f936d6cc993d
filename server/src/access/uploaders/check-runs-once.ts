import { Failure } from '../../core/failure.ts';
import { RecentMap } from '../../core/recent-map.ts';
import type { DescribedRun, ForkRun } from '../../core/repo/fork-run.ts';
import type { TrustProblem } from '../../core/repo/workflow-run.ts';
import type { Clock } from '../../platform/clock.ts';
import { createMinuteRate, type MinuteRate, type OverRate, type RateShare, takeAll } from '../../platform/limiter.ts';
import type { Provider, RunView } from '../../ports/provider.ts';
import type { ListedPullRequest } from '../../ports/provider-facts.ts';
import type { Services } from '../../services/services.ts';
import { createListedRuns } from './listed-runs.ts';

/** The jobs of a run come together and name the same: they are asked about once in this time, in ms. */
const REMEMBERED = 60_000;
/** Which pull requests a run tests does not change while it runs. */
const PULLS_REMEMBERED = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

interface Question {
  /** Questions of one key have one answer. */
  readonly key: string;
  readonly repo: { readonly id: number; readonly name: string };
  readonly address: string;
  /** The runs that are named, likeliest first. */
  readonly runs: readonly string[];
  readonly provider: Provider;
}

type Answer = TrustProblem | ForkRun;

/**
 * Asks about a run, unless the same was asked lately. `known`: the run; what else it takes is to be asked of the view.
 * Strangers cause these questions, and what they cost is the server's own: throws a Failure `over-limit` if a repo, an
 * address or all together ask too many.
 */
export type CheckRuns = (
  question: Question,
  ask: (view: RunView, known: DescribedRun | undefined) => Promise<Answer>,
) => Promise<Answer>;

type Checking = Pick<Services, 'config' | 'clock' | 'timers'>;

export function createCheckRuns(services: Checking): CheckRuns {
  const { clock } = services;
  const remember = createMemory<Answer>(clock, REMEMBERED);
  // The host may list a run before it lists the pull request that was opened with it.
  const rememberPulls = createMemory<Pulls>(clock, PULLS_REMEMBERED, (pulls) => pulls.length > 0);
  const findRun = createFindRun(services, createBudget(services));
  return (question, ask) =>
    remember(question.key, async () => {
      const { run: known, spend } = await findRun(question);
      const answer = await ask(viewOf(question, { known, spend, rememberPulls }), known);
      if (!('found' in answer)) spend.giveBack();
      return answer;
    });
}

type Pulls = readonly ListedPullRequest[];
type Remember<T> = (key: string, ask: () => Promise<T>) => Promise<T>;

/** An answer that failed is none. */
function createMemory<T>(clock: Clock, remembered: number, keeps: (answer: T) => boolean = () => true): Remember<T> {
  const answers = new RecentMap<Promise<T>>({ max: MAX_REMEMBERED, lasts: remembered, now: clock.now });
  return (key, ask) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    answers.set(key, answer);
    const forget = (): void => {
      if (answers.get(key) === answer) answers.delete(key);
    };
    answer.then((value) => {
      if (!keeps(value)) forget();
    }, forget);
    return answer;
  };
}

/** What one question may cost. Each throws a Failure if its share is used up. */
interface Spend {
  /** Another list of the repo's runs. */
  list(): Promise<void>;
  /** The pull requests of a run that is known. */
  pulls(): Promise<void>;
  /** What only the claim is a reason for. Undefined: it may be asked. */
  claim(): Promise<OverRate | undefined>;
  /** The run vouches: its address has not used up what it may claim. */
  giveBack(): void;
}

/**
 * A repo has half of all, which its own runs alone use up; what is claimed has a part of its own, and an address a
 * small one of that.
 */
function createBudget({ config, timers }: Checking): (question: Question) => Spend {
  // For all together; 0: no limit. Its parts are in docs/limits.md.
  const perMinute = config.runChecksPerMinute;
  const rateOf = (part: number): MinuteRate => createMinuteRate({ perMinute: Math.ceil(perMinute / part), timers });
  const [all, ofRepo, lists, claimed, claims] = [rateOf(1), rateOf(2), rateOf(2), rateOf(6), rateOf(10)];
  return ({ repo, address }) => {
    let spent = 0;
    const must = async (...shares: readonly RateShare[]): Promise<void> => {
      const over = await takeAll(shares);
      if (over !== undefined) throw tooMany(over);
    };
    return {
      list: () => must([lists, address], [all, '']),
      pulls: () => must([ofRepo, String(repo.id)], [all, '']),
      async claim() {
        const over = await takeAll([
          [claims, address],
          [claimed, String(repo.id)],
          [all, ''],
        ]);
        if (over === undefined) spent += 1;
        return over;
      },
      giveBack() {
        for (; spent > 0; spent -= 1) claims.giveBack(address);
      },
    };
  };
}

function tooMany({ retryAfter }: OverRate): Failure {
  return new Failure(
    'over-limit',
    `Too many runs without secrets are being checked. Nothing was stored; try again in ${retryAfter} seconds.`,
    { retryAfter },
  );
}

/** The run by the list of its repo; one that no list has, by its id, as far as its address may claim some. */
function createFindRun({ timers }: Checking, budget: (question: Question) => Spend) {
  const listed = createListedRuns({ timers });
  const renew = async ({ repo, provider }: Question, spend: Spend): Promise<void> => {
    if (!listed.isAwaited(String(repo.id))) await spend.list();
    await listed.renew(String(repo.id), () => provider.listRuns({ repo: repo.name }));
  };
  const find = async (question: Question, spend: Spend): Promise<DescribedRun | undefined> => {
    const { repo, runs, provider } = question;
    if (runs.length === 0) return undefined;
    const look = () => listed.find(String(repo.id), runs);
    const known = await look();
    if (known !== undefined) return known;
    if (listed.isDue(String(repo.id))) await renew(question, spend);
    const now = await look();
    if (now !== undefined) return now;
    const over = await spend.claim();
    if (over === undefined) return readFirst(provider, question);
    await renew(question, spend);
    const later = await look();
    if (later === undefined) throw tooMany(over);
    return later;
  };
  return async (question: Question) => {
    const spend = budget(question);
    return { run: await find(question, spend), spend };
  };
}

async function readFirst(provider: Provider, { repo, runs }: Question): Promise<DescribedRun | undefined> {
  for (const run of runs) {
    const found = await provider.readRun({ repo: repo.name, run });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is asked about a run costs its repo once; what is claimed beside it costs the address. */
function viewOf(
  { repo, provider }: Question,
  {
    known,
    spend,
    rememberPulls,
  }: {
    readonly known: DescribedRun | undefined;
    readonly spend: Spend;
    readonly rememberPulls: Remember<Pulls>;
  },
): RunView {
  const claim = async (): Promise<void> => {
    const over = await spend.claim();
    if (over !== undefined) throw tooMany(over);
  };
  return {
    // It was looked for.
    readRun: async () => known,
    async describePullRequest(call) {
      const { headRepoName: headRepo, headBranch, id } = known ?? {};
      if (headRepo === undefined || headBranch === undefined) {
        await claim();
        return provider.describePullRequest(call);
      }
      const pulls = await rememberPulls(JSON.stringify([repo.id, id]), async () => {
        await spend.pulls();
        return (await provider.listPullRequestsFrom({ repo: repo.name, headRepo, headBranch })) ?? [];
      });
      return pulls.find(({ number }) => number === call.pullRequest);
    },
    async describeCommit(call) {
      await claim();
      return provider.describeCommit(call);
    },
  };
}
