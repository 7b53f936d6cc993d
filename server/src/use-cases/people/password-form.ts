import { Failure } from '../../domain/failure.ts';
import * as say from '../../messages/people.ts';

const LEAST = 10;
const MOST = 200;

/** The password, if it may be one. Throws a Failure `payload-invalid`, which never repeats it. */
export function checkPassword(password: string): string {
  if (password.length >= LEAST && password.length <= MOST) return password;
  throw new Failure('payload-invalid', say.passwordWrong({ least: LEAST, most: MOST, found: password.length }), {
    field: 'password',
  });
}
