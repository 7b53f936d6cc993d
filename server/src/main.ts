import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { takeEnvironment, UsageError } from './cli/command/command-line.ts';
import { compose, type Service } from './compose/compose.ts';
import { knownSecretTexts } from './compose/hosts.ts';
import { logAudit, logExamination } from './compose/log-lines.ts';
import type { Parts } from './compose/services.ts';
import { type Config, ConfigError } from './config/config.ts';
import { readServerConfig } from './config/environment-file.ts';
import { Failure } from './core/failure.ts';
import { counted } from './core/sentences.ts';
import { readHostApps } from './platform/host-apps.ts';
import { describeCrash, endOnCrash } from './platform/log/crash.ts';
import { createLogger, createRequestScope } from './platform/log/logging.ts';
import type { Logger } from './platform/logger.ts';
import { keyFileOf, openSecrets } from './platform/secrets/open-secrets.ts';
import { createPasswords } from './platform/secrets/passwords.ts';
import { findLostTokens, resealAccounts, resealHostTokens, resealTokens } from './platform/secrets/reseal-tokens.ts';
import type { Secrets } from './platform/secrets.ts';
import { asStarted } from './platform/sentences.ts';
import { systemTimers } from './platform/timers/system-timers.ts';
import type { HostApp } from './ports/host-apps.ts';
import { growHeaps } from './reports/threads/grow-heaps.ts';
import { letHelpersGiveWay } from './reports/threads/lower-thread-priority.ts';
import { findStoreWarnings, openStore } from './storage/open/open-store.ts';
import type { UpgradeBackup } from './storage/sqlite/upgrade-backup.ts';
import type { Store } from './storage/store.ts';
import type { OnUpgrade } from './storage/store-inspection.ts';

/** After this the process ends, whatever is still in progress: it is stored, and continues at the next start. */
const STOP_LIMIT = 35_000;
/** How long is waited for another server on the same file to stop: longer than it takes except for slow requests. */
const SERVER_WAIT = 10_000;
/** Milliseconds in which a second signal counts as the first. */
const SAME_SIGNAL = 1_000;
/** How long requests that are being answered may take at a stop. */
const REQUEST_LIMIT = 30_000;

/** Until the settings are read, nothing secret is known. */
let hide = (text: string): string => text;

async function main(): Promise<void> {
  growHeaps();
  letHelpersGiveWay();
  const config = readServerConfig(takeEnvironment(process.argv.slice(2)).named);
  const secretTexts = knownSecretTexts(config);
  hide = secretTexts.hide;
  endOnCrash(secretTexts);
  const requestScope = createRequestScope();
  const { logLevel: level, logFormat = process.stdout.isTTY ? 'pretty' : 'json' } = config;
  const destination =
    logFormat === 'pretty' ? (await import('./platform/log/pretty-lines.ts')).openPrettyLines() : undefined;
  const logger = createLogger({ level, secretTexts, scope: requestScope, destination });
  for (const warning of config.warnings) logger.warn({}, warning);
  const { databaseUrl: url, minFreeDisk: min, upgradeBackups: keep } = config;
  const onAudit = logAudit(logger);
  const report = (made: UpgradeBackup): void =>
    logger.info({ ...made }, 'the database has an older version: a backup was made before the upgrade');
  const onUpgrade: OnUpgrade = (step) => logger.info({ ...step }, 'the database is brought up to date');
  const upgrade = { keep, report };
  const onWarning = (text: string): void => logger.warn({}, text);
  const store = await openStore({
    url,
    serverWait: SERVER_WAIT,
    disk: { min },
    upgrade,
    onUpgrade,
    onAudit,
    onWarning,
  });
  for (const warning of await findStoreWarnings(url)) onWarning(warning);
  const secrets = await prepareSecrets(config, { store, logger });
  const hostApps = await findHostApps(config, { store, secrets, logger });
  // Every line of a JSON log is JSON, and this one is waited for, whatever LOG_LEVEL is.
  const lines = createLogger({ level: 'info', secretTexts });
  const sayListening = (address: string): void =>
    logFormat === 'json' ? lines.info({ address }, listening(address)) : console.log(listening(address));
  await serve(config, { store, secrets, logger, requestScope, secretTexts, hostApps }, sayListening);
}

async function prepareSecrets(
  config: Config,
  deps: { readonly store: Store; readonly logger: Logger },
): Promise<Secrets> {
  const { store, logger } = deps;
  const { secrets, current, warnings } = await openSecrets(config, store);
  for (const warning of warnings) logger.warn({}, warning);
  if (current === undefined) {
    const tokens = (await store.repos.listTokens()).length;
    const apps = (await store.hostApps.list()).length;
    const sealed =
      tokens > 0
        ? counted(tokens, 'stored repo token needs', 'stored repo tokens need')
        : counted(apps, 'App of /setup needs', 'Apps of /setup need');
    logger.error(
      {},
      asStarted(
        `The key file ${keyFileOf(config) ?? ''} is missing, and ${sealed} it. No new one was made: ` +
          'bring it back and start again, or create new tokens with npm run rotate -- --lost. ' +
          'Uploads get 503 until then.',
      ),
    );
    return secrets;
  }
  const { resealed, unreadable } = await resealTokens({ repos: store.repos, secrets });
  if (resealed > 0)
    logger.info({ resealed }, 'stored repo tokens are encrypted with the current key now; remove SECRET_KEY_PREVIOUS');
  if (config.previousSecretKey !== undefined) {
    const accounts = await resealAccounts({ accounts: store.accounts, secrets, current });
    if (accounts > 0) logger.info({ accounts }, 'refresh tokens of accounts are encrypted with the current key now');
  }
  if (config.previousSecretKey !== undefined) {
    const repos = await resealHostTokens({ repos: store.repos, secrets, current });
    if (repos > 0) logger.info({ repos }, 'git host tokens of repos are encrypted with the current key now');
  }
  if (unreadable.length > 0) {
    const repos = (await findLostTokens({ repos: store.repos, secrets })).names;
    logger.error(
      { repos },
      'some stored repo tokens cannot be decrypted with any configured key: uploads with them fail with 422',
    );
  }
  return secrets;
}

/** The Apps that were made at git hosts. */
async function findHostApps(
  { previousSecretKey }: Config,
  deps: { readonly store: Store; readonly secrets: Secrets; readonly logger: Logger },
): Promise<readonly HostApp[]> {
  const { store, secrets, logger } = deps;
  const hasPreviousKey = previousSecretKey !== undefined;
  const { apps, unreadable } = await readHostApps({ hostApps: store.hostApps, secrets, hasPreviousKey });
  if (unreadable.length > 0)
    logger.error(
      { services: unreadable },
      'stored Apps cannot be decrypted with any configured key: create them again at /setup',
    );
  return apps;
}

async function serve(
  config: Config,
  deps: Pick<Parts, 'store' | 'secrets' | 'logger' | 'requestScope' | 'secretTexts' | 'hostApps'>,
  sayListening: (address: string) => void,
): Promise<void> {
  let bound = '';
  const time = { clock: { now: Date.now }, timers: systemTimers };
  const passwords = createPasswords({ randomBytes });
  const service = compose({ ...deps, ...time, passwords, config, baseUrl: () => config.baseUrl ?? bound });
  const { listener } = service;
  await bind(listener, { ...config, variables: 'PORT or HOST' });
  const { metricsPort: port, metricsHost: host } = config;
  if (port !== undefined) {
    await bind(service.metricsListener, { port, host, variables: 'METRICS_PORT or METRICS_HOST' });
    deps.logger.info({ address: httpAddress(service.metricsListener, host) }, 'serving metrics');
  }
  // Only once the port is ours: a start that fails for it must not take the leases of the server that runs.
  // Others that share a store hold theirs by right.
  if (!deps.store.isShared) await deps.store.outbox.voidLeases();
  await deps.store.outbox.resume(Date.now());
  const address = httpAddress(listener, config.host);
  bound = address.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost');
  const isStopping = stopOnSignal(service, { ...deps, notice: config.stopNotice });
  service.start();
  sayListening(address);
  const found = await service.examine();
  if (!isStopping()) logExamination(deps.logger, found);
}

interface ListenPlace extends Pick<Config, 'port' | 'host'> {
  /** Where it is set. */
  readonly variables: string;
}

async function bind(listener: Server, { port, host, variables }: ListenPlace): Promise<void> {
  try {
    listener.listen(port, host);
    await once(listener, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new Failure(
      'unavailable',
      `Cannot listen on ${host} port ${port} (${code}): give another ${variables}, or stop the program that ` +
        'listens there.',
      { cause },
    );
  }
}

function httpAddress(listener: Server, host: string): string {
  const { port } = listener.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * SIGTERM or SIGINT: no new connections, what was sent is answered, the store is closed. Before that SIGTERM leaves
 * proxies the time of `notice` to turn to other servers. A second signal ends it at once. Answers whether it has begun.
 */
function stopOnSignal(
  service: Service,
  deps: { readonly store: Store; readonly logger: Logger; readonly notice: number },
): () => boolean {
  const { store, logger } = deps;
  let since: number | undefined;
  const stop = async (signal: string): Promise<void> => {
    // npm passes on what the terminal or the process group has sent here already: one request, received twice.
    if (since !== undefined && performance.now() - since < SAME_SIGNAL) return;
    if (since !== undefined) process.exit(1);
    since = performance.now();
    const notice = signal === 'SIGTERM' ? deps.notice : 0;
    logger.info({ signal, notice }, 'stopping');
    service.beginStop();
    await systemTimers.sleep(notice);
    setTimeout(() => {
      logger.warn({}, 'stopped with work under way; it goes on at the next start');
      process.exit(0);
    }, STOP_LIMIT).unref();
    await endRequests(service.listener);
    await service.stop();
    await store.close();
    logger.info({}, 'stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal));
  return () => since !== undefined;
}

/** Idle connections are closed at once, busy ones when they are done or the time is up. */
async function endRequests(listener: Server): Promise<void> {
  const closed = once(listener, 'close');
  listener.close();
  listener.closeIdleConnections();
  const limit = setTimeout(() => listener.closeAllConnections(), REQUEST_LIMIT);
  await closed;
  clearTimeout(limit);
}

main().catch((error: unknown) => {
  // Anything that the user can fix is a sentence; anything else is a bug, with its stack.
  const isMendable = error instanceof ConfigError || error instanceof Failure || error instanceof UsageError;
  console.error(hide(isMendable ? asStarted(error.message) : describeCrash(error)));
  process.exit(1);
});

function listening(address: string): string {
  return `listening on ${address}`;
}
