import { MongoServerError } from 'mongodb';
import type { AskMember, ReplicaSet } from '../support/mongod/replica-set.ts';

/** When the primary steps down: when a command has come, or when its write is done and no majority has it yet. */
export type Moment = 'a command has come' | 'a write is done';

/** What may be interrupted. */
const COMMANDS = ['find', 'insert', 'update', 'findAndModify', 'delete', 'aggregate', 'getMore'];
/** How long a command is held back, in ms: the primary has stepped down by then. */
const HELD = 800;
/** Longer than a story that nobody interrupts takes, in ms. */
const STORY = 10_000;
/** A step down fails if no secondary has caught up within its 4 seconds, as on a busy machine. */
const STEP_DOWN_TRIES = 5;

/** Where a story is interrupted. */
export interface Interruption {
  /** The client's whose commands count. */
  readonly appName: string;
  readonly moment: Moment;
  /** How many commands, or writes, come before. */
  readonly skip: number;
}

/**
 * Runs a story and has the primary step down in the middle of one of its commands. Answers whether it had that many of
 * them.
 */
export async function stepDownDuring(
  set: ReplicaSet,
  { appName, moment, skip }: Interruption,
  story: () => Promise<void>,
): Promise<boolean> {
  const primary = await set.askPrimary();
  const held = { failCommands: COMMANDS, appName, blockConnection: true, blockTimeMS: HELD };
  const [failPoint, more] =
    moment === 'a command has come'
      ? (['failCommand', { data: held }] as const)
      : (['hangBeforeWaitingForWriteConcern', {}] as const);
  const end = () => primary.ask({ configureFailPoint: failPoint, mode: 'off' });
  try {
    const { count } = await primary.ask({ configureFailPoint: failPoint, mode: { skip }, ...more });
    const acting = story();
    const reached = primary.ask({ waitForFailPoint: failPoint, timesEntered: count + 1, maxTimeMS: STORY });
    reached.catch(() => undefined);
    const isReached = await Promise.race([acting.then(() => false), reached.then(() => true)]);
    if (isReached) await stepDown(primary);
    await end();
    await acting;
    return isReached;
  } finally {
    await end().catch(() => undefined);
    await primary.close();
  }
}

async function stepDown(primary: AskMember): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await primary.ask({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 4 });
      return;
    } catch (error) {
      const isBehind = error instanceof MongoServerError && /caught up/.test(error.message);
      if (!isBehind || attempt === STEP_DOWN_TRIES) throw error;
    }
  }
}
