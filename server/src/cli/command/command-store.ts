import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/commands.ts';
import { locateStore } from '../../storage/copy/location.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { Store } from '../../storage/store.ts';

/**
 * Opens the server's database for a command, and says on stderr which one it is. Throws a Failure where there is none:
 * a wrong setting would make one that no server reads. `make`: asked to make it.
 */
export async function openCommandStore(url: string, { make }: { readonly make: boolean }): Promise<Store> {
  const { name } = locateStore('DATABASE_URL', url);
  try {
    const store = await openStore({ url, mustExist: !make });
    console.error(say.databaseOpened(name));
    return store;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
    throw new Failure('not-found', `${error.message} ${say.MAKE_DATABASE}`, { cause: error });
  }
}

const MAKE_DATABASE = '--make-database';

/** Whether a command line asks for a new database, and the rest of it. */
export function takeMakeDatabase(args: readonly string[]): {
  readonly make: boolean;
  readonly rest: readonly string[];
} {
  return { make: args.includes(MAKE_DATABASE), rest: args.filter((arg) => arg !== MAKE_DATABASE) };
}
