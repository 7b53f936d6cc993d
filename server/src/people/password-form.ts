import { Failure } from '../core/failure.ts';

/** Characters of a password. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** The password, if it may be one. Throws a Failure `payload-invalid`, which never repeats it. */
export function checkPassword(password: string): string {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length >= min && password.length <= max) return password;
  throw new Failure(
    'payload-invalid',
    `A password has ${min} to ${max} characters; this one has ${password.length}. Several words make a good one.`,
    {
      field: 'password',
    },
  );
}
