import { Failure } from '../core/failure.ts';
import * as say from '../messages/doctor.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Store } from '../storage/store.ts';
import { type Check, type DoctorDeps, type Finding, failed, ok, skipped, warning } from './check.ts';

type StoreCheck = (store: Store, deps: DoctorDeps) => Promise<Finding>;

/** What is seen of the database, and of what waits in it. */
export function storeChecks(deps: DoctorDeps): readonly Check[] {
  const inStore = (check: StoreCheck) => () =>
    deps.store === undefined ? skipped(say.NO_DATABASE) : check(deps.store, deps);
  return [
    { name: 'database', run: () => checkDatabase(deps) },
    { name: 'integrity', run: () => checkIntegrity(deps.database) },
    { name: 'disk', run: inStore(checkDisk) },
    { name: 'secret-key', run: inStore(checkSecretKey) },
    { name: 'builds', run: inStore(checkBuilds) },
  ];
}

async function checkDatabase({ database, store }: DoctorDeps): Promise<Finding> {
  const { name, version, latest, problem } = database;
  if (problem !== undefined) return failed(problem, say.MEND_DATABASE);
  if (version !== latest) return failed(say.schemaOld({ name, version, latest }), say.START_SERVER_ONCE);
  if (store === undefined) return failed(say.databaseUnused(name), say.MEND_DATABASE);
  try {
    await store.check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(error.message, say.MEND_DATABASE);
  }
  return ok(say.databaseWritable({ name, version }));
}

export function checkIntegrity({ isWhole, problem }: DoctorDeps['database']): Finding {
  if (isWhole === undefined)
    return problem === undefined ? skipped(say.NOT_READ_WHOLE, say.READ_IT_WHOLE) : skipped(say.NO_DATABASE);
  return isWhole ? ok(say.WHOLE) : failed(problem ?? say.DAMAGED, say.RESTORE_BACKUP);
}

/** Room for fewer uploads than this is worth a word. */
const SHORT_OF_LEAST = 3;

async function checkDisk(store: Store, { clock, minFreeDisk: least }: DoctorDeps): Promise<Finding> {
  const { freeDisk, bytes = 0 } = await store.measure(clock.now());
  if (freeDisk === undefined) return skipped(say.NO_DISK_HERE);
  const seen = say.diskFree({ free: freeDisk, bytes, least });
  if (freeDisk < least) return failed(seen, say.MAKE_SPACE);
  return freeDisk < SHORT_OF_LEAST * least ? warning(seen, say.MAKE_SPACE) : ok(seen);
}

async function checkSecretKey(store: Store, { secrets }: DoctorDeps): Promise<Finding> {
  if (secrets === undefined || !hasKey(secrets)) return failed(say.KEY_GONE, say.BRING_KEY_BACK);
  const tokens = await store.repos.listTokens();
  const apps = await store.hostApps.list();
  const sealed = tokens.filter((one) => secrets.unseal(one.sealed) === undefined).length;
  const lost = apps.filter((one) => secrets.openText(one.sealed) === undefined).length;
  if (sealed + lost > 0) return failed(say.keyWrong({ sealed, tokens: tokens.length, apps: lost }), say.BRING_KEY_BACK);
  return ok(say.keyOpens({ tokens: tokens.length, apps: apps.length }));
}

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

async function checkBuilds(store: Store, { clock, database }: DoctorDeps): Promise<Finding> {
  const { builds, oldestDueAt } = await store.measure(clock.now());
  const waits = oldestDueAt === undefined ? 0 : clock.now() - oldestDueAt;
  const seen = say.buildsWait({
    due: builds.due,
    putOff: builds['put-off'],
    setAside: builds['set-aside'],
    seconds: Math.round(waits / 1_000),
  });
  if (waits > LONG_DUE) return (database.isServed === false ? warning : failed)(seen, say.START_OR_LOG);
  return builds['put-off'] + builds['set-aside'] > 0 ? warning(seen, say.MEND_BUILDS) : ok(seen);
}
