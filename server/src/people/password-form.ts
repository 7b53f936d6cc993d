import { Failure } from '../core/failure.ts';

/** Characters of a password. */
export const PASSWORD_LENGTH = { least: 10, most: 200 } as const;

/** The password, if it may be one. Throws a Failure `payload-invalid`, which never repeats it. */
export function checkPassword(password: string): string {
  const { least, most } = PASSWORD_LENGTH;
  if (password.length >= least && password.length <= most) return password;
  throw new Failure(
    'payload-invalid',
    `A password has ${least} to ${most} characters; this one has ${password.length}. Several words are a good one.`,
    {
      field: 'password',
    },
  );
}
