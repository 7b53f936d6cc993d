import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readDoctorSettings } from '../compose/doctor-settings.ts';
import { connectHosts, knownSecretTexts } from '../compose/hosts.ts';
import { type Config, readConfig } from '../config/config.ts';
import { Failure } from '../core/failure.ts';
import * as say from '../messages/doctor.ts';
import { createExamineServer, type Examination } from '../operations/examine-server.ts';
import { presentExamination } from '../operations/http/examination-json.ts';
import { createOpenIdProvider } from '../people/openid/openid-provider.ts';
import { createLogger } from '../platform/log/logging.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import { findSecrets } from '../platform/secrets/find-secrets.ts';
import { readHostApps } from '../platform/secrets/host-apps.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import { inspectStore } from '../storage/open/inspect-store.ts';
import { openStore } from '../storage/open/open-store.ts';
import type { Store } from '../storage/store.ts';
import type { StoreInspection } from '../storage/store-inspection.ts';
import { formatTable, runCommand, UsageError } from './command/command-line.ts';

await runCommand(say.DOCTOR_USAGE, (args) => {
  const { values, positionals } = readArguments(args);
  if (values.help || positionals[0] === 'help') return undefined;
  if (positionals.length > 0) throw new UsageError(say.notTaken(positionals.join(' ')));
  return () => runDoctor(values.json === true);
});

function readArguments(args: readonly string[]) {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function runDoctor(asJson: boolean): Promise<number> {
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const { database, store } = await openAsIs(config.databaseUrl);
  try {
    const found = await examine(config, database, store);
    const shown = presentExamination(found, config.baseUrl);
    console.log(asJson ? JSON.stringify(shown, null, 2) : render(shown));
    return found.status === 'failed' ? 1 : 0;
  } finally {
    await store?.close();
  }
}

/** The store, unless opening it would make it or change its schema. */
async function openAsIs(url: string): Promise<{ readonly database: StoreInspection; readonly store?: Store }> {
  const database = await inspectStore(url);
  if (database.problem !== undefined || database.version !== database.latest) return { database };
  try {
    return { database, store: await openStore({ url, mustExist: true }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { database: { ...database, problem: error.message } };
  }
}

async function examine(config: Config, database: StoreInspection, store: Store | undefined): Promise<Examination> {
  const time = { clock: { now: Date.now }, timers: systemTimers };
  const secretTexts = knownSecretTexts(config);
  const logger = createLogger({ level: 'silent', secretTexts });
  const secrets = await findSecrets(config);
  const apps = store && secrets && (await readHostApps({ hostApps: store.hostApps, secrets, hasPreviousKey: false }));
  const fetch = createFetch(config.outgoing);
  const parts = { config, ...time, logger, hostApps: apps?.apps ?? [], secretTexts };
  const { hosts } = connectHosts(parts, { fetch, ...time, metrics: { providerCalled: () => undefined } });
  const baseUrl = config.baseUrl ?? listensAt(config);
  const deps = { ...readDoctorSettings(config), database, store, secrets, hosts, fetch, baseUrl };
  const openId = config.openId && createOpenIdProvider(config.openId, { fetch });
  return createExamineServer(() => ({ ...time, ...deps, openId }))();
}

/** Undefined where the server picks a free port. */
function listensAt({ host, port }: Config): string | undefined {
  if (port === 0) return undefined;
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function render({ checks }: ReturnType<typeof presentExamination>): string {
  const rows = checks.flatMap(({ name, state, seen, remedy }) => [
    [state, name, seen],
    ...(remedy === null ? [] : [['', '', `${say.REMEDY} ${remedy}`]]),
  ]);
  const count = (state: string): number => checks.filter((one) => one.state === state).length;
  return `${formatTable(rows)}\n\n${say.summary({ failed: count('failed'), warnings: count('warning') })}`;
}
