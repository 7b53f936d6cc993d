import { Failure, type FailureCode } from '../../core/failure.ts';
import type { MergeObstacle } from '../../core/verdict/reason.ts';
import { CannotMerge } from '../report-engine.ts';

/**
 * What crosses from a worker thread: the value, or a Failure as plain data, since an error's own fields do not survive
 * the way.
 */
export type ThreadAnswer<Value> = { readonly value: Value } | { readonly failure: PlainFailure };

export interface PlainFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly field: string | undefined;
  /** The stack of what was underneath, for the log. */
  readonly cause: string | undefined;
  /** For a CannotMerge. */
  readonly obstacle?: MergeObstacle;
}

/**
 * Runs `work` and answers with its value or its failure. Anything but a Failure is our own fault: code internal, the
 * error as cause.
 */
export async function answerWith<Value>(work: () => Value | Promise<Value>): Promise<ThreadAnswer<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof Failure))
      return {
        failure: {
          code: 'internal',
          message: 'A report could not be processed because of a fault in this server. Its log has the details.',
          field: undefined,
          cause: describe(error),
        },
      };
    const cause = error.cause === undefined ? undefined : describe(error.cause);
    const obstacle = error instanceof CannotMerge ? { obstacle: error.obstacle } : {};
    return { failure: { code: error.code, message: error.message, field: error.field, cause, ...obstacle } };
  }
}

/** The value of an answer; its failure is thrown as the Failure that it was. */
export function takeAnswer<Value>(answer: ThreadAnswer<Value>): Value {
  if ('value' in answer) return answer.value;
  const { code, message, field, cause, obstacle } = answer.failure;
  const details = { ...(field === undefined ? {} : { field }), ...(cause === undefined ? {} : { cause }) };
  throw obstacle === undefined ? new Failure(code, message, details) : new CannotMerge(obstacle, message, details);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
