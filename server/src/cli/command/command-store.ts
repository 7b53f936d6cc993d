import type { ServerConfig } from '../../config/environment-file.ts';
import { Failure } from '../../core/failure.ts';
import { locateStore } from '../../storage/copy/location.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { Store } from '../../storage/store.ts';

const MAKE_DATABASE_TEXT = 'The server creates it at its first start; --make-database creates it now.';

/** What of the settings says which database a command works on. */
export type CommandTarget = Pick<ServerConfig, 'databaseUrl' | 'settingsFile'>;

/**
 * Opens the server's database for a command, and says on stderr which one it is. Throws a Failure if there is none: a
 * wrong setting would make one that no server reads. `make`: asked to make it.
 */
export async function openCommandStore(target: CommandTarget, { make }: { readonly make: boolean }): Promise<Store> {
  try {
    const store = await openStore({ url: target.databaseUrl, mustExist: !make });
    nameDatabase(target);
    return store;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
    throw new Failure('not-found', `${error.message} ${MAKE_DATABASE_TEXT}`, { cause: error });
  }
}

/** Says on stderr which database a command works on, and answers its name. */
export function nameDatabase({ databaseUrl, settingsFile }: CommandTarget): string {
  const { name } = locateStore('DATABASE_URL', databaseUrl);
  console.error(databaseOpened(name, settingsFile));
  return name;
}

export const MAKE_DATABASE = '--make-database';

/** Whether a command line asks for a new database, and the rest of it. */
export function takeMakeDatabase(args: readonly string[]): {
  readonly make: boolean;
  readonly rest: readonly string[];
} {
  return { make: args.includes(MAKE_DATABASE), rest: args.filter((arg) => arg !== MAKE_DATABASE) };
}

function databaseOpened(name: string, settingsFile: string | undefined): string {
  const by = settingsFile === undefined ? '' : `, by the settings in ${settingsFile}`;
  return `The database is ${name}${by}.`;
}
