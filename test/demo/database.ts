import { databaseUrl } from '../support/mongod/database-url.ts';
import { dropDatabase } from '../support/mongod/drop-database.ts';
import { findMongod } from '../support/mongod/find-mongod.ts';
import { startMongod } from '../support/mongod/start-mongod.ts';

/** The MongoDB database of a demo. */
export interface DemoDatabase {
  readonly url: string;
  /** Whether it was named, and so stays. */
  readonly stays: boolean;
  /** For the story: where it is. Never the URL, which may hold a password. */
  readonly where: string;
  /** Drops it, unless it was named; stops a server that was started for it. */
  dispose(): Promise<void>;
}

/** `auto`: a server that can be found or started here. Else the URL of one, with a database or without. */
export async function openDemoDatabase(text: string): Promise<DemoDatabase> {
  if (text === 'auto') return startDatabase();
  if (namesDatabase(text)) {
    return { url: text, stays: true, where: 'the database that --mongodb names', dispose: async () => undefined };
  }
  const url = databaseUrl(text);
  return { url, stays: false, where: 'a new database there, dropped at the end', dispose: () => dropDatabase(url) };
}

async function startDatabase(): Promise<DemoDatabase> {
  const found = await findMongod();
  // Where there is none, startMongod says why.
  const { how, databaseUrl: nameDatabase, stop } = await startMongod(found.kind === 'none' ? {} : { found });
  const url = nameDatabase();
  // One that was started here goes with all its data, and may have received the Ctrl-C that ended the demo.
  const dispose = found.kind === 'url' ? () => dropDatabase(url) : stop;
  return { url, stays: false, where: `a new database, dropped at the end (${how})`, dispose };
}

function namesDatabase(url: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/[^/?]+\/[^/?]+/i.test(url);
}
