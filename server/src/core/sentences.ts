export const REPO_TOKEN = 'a repo token of this service';

export const PERSONAL_TOKEN = 'a personal token of this service';

export const WEB_TOKEN = 'a JSON web token';

/** `1 line`, `2 lines` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export const COUNTED_AS = {
  run: 'this run',
  pull: 'this pull request',
  address: 'this address',
  repo: 'forks of this repo',
};

export interface OverQuota extends Counts<'used' | 'bytes' | 'limit'> {
  readonly of: keyof typeof COUNTED_AS;
  readonly variable: string;
}

/** Texts that are put into a message, by name; the caller quotes hostile ones. */
export type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** Numbers that are put into a message, by name. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;
