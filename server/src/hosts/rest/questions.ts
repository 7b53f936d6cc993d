import { ProviderFailure } from '../../ports/provider.ts';
import { type Fields, fieldsOf } from '../answers.ts';
import type { Ask, Asked } from './calls.ts';
import { type Operation, unexpectedAnswer } from './operations.ts';

/** Answers to a question that mean "there is none"; 400: a ref that the host does not know; 409: an empty repo. */
const NONE: ReadonlySet<number | undefined> = new Set([400, 404, 409, 410, 422]);

/** The answer to a question, undefined if the host definitely has none. */
export async function definiteAnswer<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'permanent' && NONE.has(error.status)) return undefined;
    throw error;
  }
}

/** One object. An answer in which `read` finds nothing is not the host's. */
export async function askFor<T, Asking extends Operation>(
  ask: Ask<Asking>,
  operation: Asking,
  { read, ...asked }: Asked & { readonly read: (answer: Fields) => T | undefined },
): Promise<T> {
  const value = read(fieldsOf((await ask(operation, asked)).json()));
  if (value === undefined) throw unexpectedAnswer(operation);
  return value;
}
