import { Failure } from '../../domain/failure.ts';
import type { ForkRun } from '../../domain/repo/fork-run.ts';
import type { TrustProblem } from '../../domain/repo/workflow-run.ts';
import * as say from '../../messages/fork-runs.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../../ports/timers.ts';
import { createMinuteRate, type MinuteRate } from './minute-rate.ts';

/** The jobs of a run come together and name the same: they are asked about once in this time, in ms. */
const REMEMBERED = 60_000;
const MOST_REMEMBERED = 1_000;

interface Question {
  /** Questions of one key have one answer. */
  readonly key: string;
  readonly repo: string;
  readonly address: string;
}

type Answer = TrustProblem | ForkRun;

/**
 * Asks about a run, unless the same was asked lately. Strangers cause these questions, and what they cost is the
 * server's own: throws a Failure `over-limit` where a repo, an address or all together ask too many.
 */
export type CheckRuns = (question: Question, ask: () => Promise<Answer>) => Promise<Answer>;

/** `perMinute`: of all together; a repo and an address have half of it each. 0: no limit. */
export function createCheckRuns(deps: {
  readonly perMinute: number;
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'elapsed' | 'sleep'>;
}): CheckRuns {
  const { perMinute, clock, timers } = deps;
  const answers = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>();
  const all = createMinuteRate({ perMinute, timers });
  const parts = createMinuteRate({ perMinute: Math.ceil(perMinute / 2), timers });

  const askAndCount = async ({ repo, address }: Question, ask: () => Promise<Answer>): Promise<Answer> => {
    await count(parts, `address ${address}`);
    await count(parts, `repo ${repo}`);
    await count(all, '');
    return ask();
  };

  return (question, ask) => {
    const { key } = question;
    const known = answers.get(key);
    if (known !== undefined && known.until > clock.now()) return known.answer;
    const answer = askAndCount(question, ask);
    answers.delete(key);
    answers.set(key, { answer, until: clock.now() + REMEMBERED });
    const [oldest] = answers.keys();
    if (answers.size > MOST_REMEMBERED && oldest !== undefined) answers.delete(oldest);
    answer.catch(() => {
      if (answers.get(key)?.answer === answer) answers.delete(key);
    });
    return answer;
  };
}

async function count(rate: MinuteRate, key: string): Promise<void> {
  const over = await rate.take(key, 0);
  if (over !== undefined)
    throw new Failure('over-limit', say.tooMany(over.retryAfter), { retryAfter: over.retryAfter });
}
