import { parseArgs } from 'node:util';
import { readDoctorSettings } from '../compose/doctor-settings.ts';
import { connectHosts, knownSecretTexts } from '../compose/hosts.ts';
import { REMEDY } from '../compose/log-lines.ts';
import type { Config } from '../config/config.ts';
import type { ServerConfig } from '../config/environment-file.ts';
import { Failure } from '../core/failure.ts';
import { type Counts, counted } from '../core/sentences.ts';
import type { Examined } from '../operations/check.ts';
import { proveDoctor } from '../operations/doctor-proof.ts';
import { createExamineServer, type Examination } from '../operations/examine-server.ts';
import { presentExamination } from '../operations/http/examination-json.ts';
import { DOCTOR_HEADER } from '../operations/http/health-routes.ts';
import { checkIntegrity } from '../operations/store-checks.ts';
import { createOpenIdProvider } from '../people/openid/openid-provider.ts';
import { readHostApps } from '../platform/host-apps.ts';
import { createLogger } from '../platform/log/logging.ts';
import { createFetch } from '../platform/outgoing/create-fetch.ts';
import { findSecrets } from '../platform/secrets/open-secrets.ts';
import type { Secrets } from '../platform/secrets.ts';
import { systemTimers } from '../platform/timers/system-timers.ts';
import { inspectStore } from '../storage/open/inspect-store.ts';
import { openStore } from '../storage/open/open-store.ts';
import type { Store } from '../storage/store.ts';
import type { StoreInspection } from '../storage/store-inspection.ts';
import { formatTable, runServerCommand, UsageError } from './command/command-line.ts';

/** Longer than a server looks at itself, in ms. */
const TIME_LIMIT = 20_000;

await runServerCommand(
  `Usage:
  npm run doctor [-- --json]

Checks everything that the server needs. If a server is running with these settings on this machine, the command asks
it; otherwise the command checks by itself. It does not create or upgrade a database. Exit code: 0 if nothing failed
(there may be warnings), 1 if a check failed, 2 if the command line is wrong.`,
  (args) => {
    const { values, positionals } = readArguments(args);
    if (values.help || positionals[0] === 'help') return undefined;
    if (positionals.length > 0) throw new UsageError(`This command takes no ${JSON.stringify(positionals.join(' '))}.`);
    return (config) => runDoctor(config, values.json === true);
  },
);

function readArguments(args: readonly string[]) {
  try {
    const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function runDoctor(config: ServerConfig, asJson: boolean): Promise<number> {
  const { database, store } = await openAsIs(config.databaseUrl);
  try {
    const secrets = await findSecrets(config);
    const found =
      (await findAsked(config, database, secrets)) ??
      presentExamination(await examine(config, { database, store, secrets }), config.baseUrl);
    console.log(asJson ? JSON.stringify(found, null, 2) : render(found));
    return found.status === 'failed' ? 1 : 0;
  } finally {
    await store?.close();
  }
}

/** By a server that runs: it knows its own settings, network and version. It does not read its file whole. */
async function findAsked(
  config: ServerConfig,
  database: StoreInspection,
  secrets: Secrets | undefined,
): Promise<Presented | undefined> {
  const address = listensAt(config);
  const asked = secrets === undefined || address === undefined ? undefined : await askServer(address, secrets);
  if (asked === undefined) return undefined;
  console.error(`This is what the server at ${address ?? ''} finds about itself.`);
  const own = presentExamination(
    { status: 'ok', checks: [{ name: 'integrity', ...checkIntegrity(database) }] },
    config.baseUrl,
  );
  const checks = asked.checks.map((one) => own.checks.find(({ name }) => name === one.name) ?? one);
  const isWorse = own.checks.some(({ state }) => state === 'failed');
  return { status: isWorse ? 'failed' : asked.status, checks };
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

async function examine(
  config: ServerConfig,
  { database, store, secrets }: Pick<Examined, 'database' | 'store' | 'secrets'>,
): Promise<Examination> {
  const time = { clock: { now: Date.now }, timers: systemTimers };
  const secretTexts = knownSecretTexts(config);
  const logger = createLogger({ level: 'silent', secretTexts });
  const apps = store && secrets && (await readHostApps({ hostApps: store.hostApps, secrets, hasPreviousKey: false }));
  const fetch = createFetch(config.outgoing);
  const parts = { config, ...time, logger, hostApps: apps?.apps ?? [], secretTexts };
  const { hosts } = connectHosts(parts, { fetch, ...time, metrics: { providerCalled: () => undefined } });
  const baseUrl = config.baseUrl ?? listensAt(config);
  const deps = { ...readDoctorSettings(config), database, store, secrets, hosts, fetch, baseUrl };
  const openId = config.openId && createOpenIdProvider(config.openId, { fetch });
  return createExamineServer(() => ({ ...time, ...deps, openId }))();
}

function render({ checks }: Presented): string {
  const rows = checks.flatMap(({ name, state, seen, remedy }) => [
    [state, name, seen],
    ...(remedy === null ? [] : [['', '', `${REMEDY} ${remedy}`]]),
  ]);
  const count = (state: string): number => checks.filter((one) => one.state === state).length;
  return `${formatTable(rows)}\n\n${summary({ failed: count('failed'), warnings: count('warning') })}`;
}

function summary({ failed, warnings }: Counts<'failed' | 'warnings'>): string {
  return `${failed} failed, ${counted(warnings, 'warning')}.`;
}

type Presented = ReturnType<typeof presentExamination>;

/**
 * What the server of these settings finds about itself, with its own network, settings and version. Undefined: none of
 * this key runs where they say that it listens, or it does not know the question.
 */
async function askServer(address: string, secrets: Secrets): Promise<Presented | undefined> {
  // It is on this machine: no proxy is asked.
  const fetch = createFetch({ httpProxy: undefined, httpsProxy: undefined, noProxy: undefined, ca: undefined });
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const answer = await fetch(address + path, { redirect: 'manual', signal, headers });
    return answer.status === 200 ? answer.json() : undefined;
  };
  try {
    const health = (await ask('/healthz?identity')) as { readonly identity?: unknown } | undefined;
    if (health?.identity !== secrets.serverIdentity()) return undefined;
    const proof = proveDoctor(secrets, Date.now());
    return (await ask('/readyz?verbose', { [DOCTOR_HEADER]: proof })) as Presented | undefined;
  } catch {
    return undefined;
  }
}

/** Where a server of these settings is reached on this machine; undefined if it picks a free port. */
function listensAt({ host, port }: Pick<Config, 'host' | 'port'>): string | undefined {
  if (port === 0) return undefined;
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
