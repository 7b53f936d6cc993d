import { Failure } from '../core/failure.ts';
import { type Counts, counted, type Texts } from '../core/sentences.ts';
import type { Secrets } from '../platform/secrets.ts';
import { findLostHostTokens } from '../storage/host-tokens.ts';
import type { Store } from '../storage/store.ts';
import {
  type Check,
  type Examined,
  type Finding,
  failed,
  KEY_GONE,
  NO_DATABASE,
  ok,
  START_OR_LOG,
  skipped,
  warning,
} from './check.ts';

const MEND_DATABASE = 'Check DATABASE_URL, and that the server can read and write there.';

const MAKE_SPACE = 'Make space on the disk of the database, or lower MIN_FREE_DISK.';

const BRING_KEY_BACK =
  'Set the SECRET_KEY of that time, or bring back its key file. If it is lost, create new tokens (npm run rotate ' +
  '-- --lost), and the App again at /setup.';

const toMib = (bytes: number): number => Math.floor(bytes / 2 ** 20);

type StoreCheck = (store: Store, deps: Examined) => Promise<Finding>;

/** What is seen of the database, and of what waits in it. */
export function storeChecks(deps: Examined): readonly Check[] {
  const inStore = (check: StoreCheck) => () =>
    deps.store === undefined ? skipped(NO_DATABASE) : check(deps.store, deps);
  return [
    { name: 'database', run: () => checkDatabase(deps) },
    { name: 'integrity', run: () => checkIntegrity(deps.database) },
    { name: 'disk', run: inStore(checkDisk) },
    { name: 'secret-key', run: inStore(checkSecretKey) },
    { name: 'builds', run: inStore(checkBuilds) },
  ];
}

async function checkDatabase({ database, store }: Examined): Promise<Finding> {
  const { name, version, latest, problem } = database;
  if (problem !== undefined) return failed(problem, MEND_DATABASE);
  if (version !== latest)
    return failed(
      `${name} has version ${version} of the schema, but this program works with ${latest}.`,
      'Start this version of the server once: it brings the database up to date.',
    );
  if (store === undefined) return failed(`${name} could not be opened.`, MEND_DATABASE);
  try {
    await store.check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(error.message, MEND_DATABASE);
  }
  return ok(databaseWritable({ name, version }));
}

export function checkIntegrity({ isWhole, problem }: Examined['database']): Finding {
  if (isWhole === undefined)
    return problem === undefined
      ? skipped('Not read whole.', 'Use npm run doctor for an SQLite file; MongoDB checks itself.')
      : skipped(NO_DATABASE);
  return isWhole
    ? ok('Every page of the file can be read and is consistent with the others.')
    : failed(problem ?? 'It could not be read completely.', 'Stop the server, and restore a backup (npm run restore).');
}

/** Room for fewer uploads than this is worth a word. */
const SHORT_OF_LEAST = 3;

async function checkDisk(store: Store, { clock, minFreeDisk: min }: Examined): Promise<Finding> {
  const { freeDisk, bytes = 0 } = await store.measure(clock.now());
  if (freeDisk === undefined) return skipped('The database is not a file on this machine.');
  const seen = `${toMib(freeDisk)} MiB are free, ${toMib(min)} are needed; the database has ${toMib(bytes)}.`;
  if (freeDisk < min) return failed(seen, MAKE_SPACE);
  return freeDisk < SHORT_OF_LEAST * min ? warning(seen, MAKE_SPACE) : ok(seen);
}

async function checkSecretKey(store: Store, { secrets }: Examined): Promise<Finding> {
  if (secrets === undefined || !hasKey(secrets)) return failed(KEY_GONE, BRING_KEY_BACK);
  const tokens = await store.repos.listTokens();
  const apps = await store.hostApps.list();
  const sealed = tokens.filter((one) => secrets.unseal(one.sealed) === undefined).length;
  const lost = apps.filter((one) => secrets.openText(one.sealed) === undefined).length;
  const ofHosts = await findLostHostTokens(store.repos, secrets.openText);
  if (sealed + lost > 0)
    return failed(
      `The key cannot decrypt ${sealed} of ${counted(tokens.length, 'stored repo token')}, and ` +
        `${counted(lost, 'App')}.`,
      BRING_KEY_BACK,
    );
  if (ofHosts.length > 0)
    return failed(
      `The key cannot decrypt the git host tokens of these repos: ${ofHosts.slice(0, MAX_NAMED).join(', ')}.`,
      'Bring the key back, or give each a new token on its settings page. Until then the server’s own is used.',
    );
  return ok(`The key decrypts ${counted(tokens.length, 'stored repo token')} and ${counted(apps.length, 'App')}.`);
}

const MAX_NAMED = 5;

function hasKey(secrets: Secrets): boolean {
  try {
    secrets.requireKey();
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** As the alerts of docs/monitoring.md have it, in ms. */
const LONG_DUE = 600_000;

async function checkBuilds(store: Store, { clock, database }: Examined): Promise<Finding> {
  const { builds, oldestDueAt } = await store.measure(clock.now());
  const waits = oldestDueAt === undefined ? 0 : clock.now() - oldestDueAt;
  const seen = buildsWait({
    due: builds.due,
    putOff: builds['put-off'],
    setAside: builds['set-aside'],
    seconds: Math.round(waits / 1_000),
  });
  if (waits > LONG_DUE) return (database.isServed === false ? warning : failed)(seen, START_OR_LOG);
  return builds['put-off'] + builds['set-aside'] > 0
    ? warning(seen, 'See GET /api/v1/builds/set-aside and the log; then use rerun_build.')
    : ok(seen);
}

function databaseWritable({ name, version }: Texts<'name'> & { readonly version: number | undefined }): string {
  const schema = version === undefined ? '' : `, version ${version} of the schema`;
  return `${name}${schema}; it accepts writes.`;
}

function buildsWait({ due, putOff, setAside, seconds }: Counts<'due' | 'putOff' | 'setAside' | 'seconds'>) {
  const oldest = due === 0 ? '' : `, the oldest for ${seconds} s`;
  return `${counted(due, 'build')} due${oldest}; ${putOff} delayed after a failure, ${setAside} set aside.`;
}
