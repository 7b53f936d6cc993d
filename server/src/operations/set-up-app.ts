import { Failure } from '../core/failure.ts';
import { type Actor, actorOf, auditBy } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import { sealHostApp } from '../platform/host-apps.ts';
import type { Host, Hosts } from '../ports/host.ts';
import type { HostApp, HostAppSetup, HostForm } from '../ports/host-apps.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { Services } from '../services/services.ts';

/** How long somebody may take at the host, in ms: as long as its code is worth something. */
export const SETUP_LIMIT = 60 * 60_000;

type AppSetup = Pick<
  Services,
  'hosts' | 'hostApps' | 'secrets' | 'clock' | 'baseUrl' | 'useApp' | 'outbox' | 'onResumed'
>;

/** What is shown of the App before it is made, or made again. */
export interface ShownAppSetup {
  readonly hostName: string;
  readonly configured: readonly string[];
  readonly permissions: HostAppSetup['permissions'];
  /** Whether one was made before. */
  readonly isMade: boolean;
  /** The one in use, with the address where it is installed. */
  readonly inUse: MadeApp | undefined;
}

export interface MadeApp {
  readonly name: string;
  readonly installAddress: string;
}

/** The form that the browser sends to the host, and what it keeps in the meantime. */
export interface BegunAppSetup {
  readonly form: HostForm;
  readonly kept: string;
}

/** What a browser keeps, sealed, while its person is at the host. */
interface KeptSetup {
  readonly purpose: 'app-setup';
  readonly state: string;
  /** Whose account began it; undefined: a token of an administrator did. */
  readonly accountId: number | undefined;
  readonly actor: Actor;
  /** For the App that it replaces; 0: of none. So one attempt makes one App at most. */
  readonly revision: number;
  readonly until: number;
}

/**
 * The App of a git host that has Apps, before it is made by a form at that host. Throws a Failure `forbidden` or
 * `not-found`.
 */
export async function showAppSetup(services: AppSetup, caller: Caller): Promise<ShownAppSetup> {
  refuseOthers(caller);
  const { host, setup } = findSetup(services.hosts);
  const { configured, permissions, inUse } = setup;
  const isMade = (await revisionOf(services, host)) > 0;
  return { hostName: host.name, configured, permissions, isMade, inUse: inUse && madeOf(inUse, setup) };
}

/** `replaces`: an App that was made before may go. Throws a Failure `forbidden`, `conflict` or `not-found`. */
export async function beginAppSetup(
  services: AppSetup,
  { caller, owner, replaces }: { readonly caller: Caller; readonly owner: string; readonly replaces: boolean },
): Promise<BegunAppSetup> {
  const { secrets, clock, baseUrl } = services;
  refuseOthers(caller);
  const { host, setup } = findSetup(services.hosts);
  refuseConfigured(host, setup);
  secrets.requireKey();
  const revision = await revisionOf(services, host);
  if (revision > 0 && !replaces)
    throw new Failure('conflict', `There is already an App for ${host.name}. Confirm that you want to replace it.`);
  const state = secrets.newRandom();
  const accountId = caller.kind === 'user' ? caller.account?.id : undefined;
  const until = clock.now() + SETUP_LIMIT;
  const actor = actorOf(caller);
  const kept: KeptSetup = { purpose: 'app-setup', state, accountId, actor, revision, until };
  const form = setup.form({ baseUrl: baseUrl(), owner, state });
  return { form, kept: secrets.sealText(JSON.stringify(kept)) };
}

/** The browser is back. `person`: who is signed in in it. Throws like `beginAppSetup`, and a Failure `unavailable`. */
export async function finishAppSetup(
  services: AppSetup,
  {
    kept,
    person,
    state,
    code,
  }: {
    readonly kept: string | undefined;
    readonly person: Caller | undefined;
    readonly state: string;
    readonly code: string;
  },
): Promise<MadeApp & { readonly hostName: string }> {
  const { secrets, hostApps, clock } = services;
  const begun = openKept(services, kept);
  const isBegunHere = begun !== undefined && secrets.equal(state, begun.state) && isStillAllowed(begun, person);
  if (!isBegunHere)
    throw new Failure(
      'forbidden',
      'This setup was not started in this browser, took longer than an hour, or is already done. Start again.',
    );
  const { host, setup } = findSetup(services.hosts);
  refuseConfigured(host, setup);
  const { revision, actor } = begun;
  if ((await revisionOf(services, host)) !== revision) throw new Failure('conflict', madeMeanwhile(host.name));
  const app = await exchange(host, setup, code);
  const at = clock.now();
  const made = { host: app.host, name: app.name, id: app.id };
  const audit = auditBy(actor, { action: 'app.made', at, after: made });
  if (!(await hostApps.put(sealHostApp(app, secrets, { revision: revision + 1, at }), audit)))
    throw new Failure('conflict', madeMeanwhile(host.name));
  await useMadeApp(services, app);
  return { hostName: host.name, ...madeOf(app, setup) };
}

/** Signs in as an App from now on, unless it does so already; what was given up without it is tried again. */
export async function useMadeApp(
  { useApp, outbox, clock, onResumed }: Pick<Services, 'useApp' | 'outbox' | 'clock' | 'onResumed'>,
  app: HostApp,
): Promise<void> {
  if (!useApp(app)) return;
  await outbox.resume(clock.now());
  onResumed();
}

async function revisionOf({ hostApps }: AppSetup, { service }: Host): Promise<number> {
  return (await hostApps.list()).find((one) => one.service === service)?.revision ?? 0;
}

function refuseOthers(caller: Caller): void {
  if (caller.kind !== 'user' || caller.role !== 'administrator')
    throw new Failure('forbidden', 'Only an administrator of this server may set up its App.');
}

function findSetup({ all }: Hosts): { readonly host: Host; readonly setup: HostAppSetup } {
  for (const host of all) if (host.appSetup !== undefined) return { host, setup: host.appSetup };
  throw new Failure('not-found', 'No git host of this server has Apps.');
}

/** Which of two holds must never depend on which is looked at first. */
function refuseConfigured({ name }: Host, { configured }: HostAppSetup): void {
  if (configured.length > 0) throw new Failure('conflict', configuredAlready(name, configured));
}

function openKept({ secrets, clock }: AppSetup, kept: string | undefined): KeptSetup | undefined {
  const text = kept === undefined ? undefined : secrets.openText(kept);
  const begun = text === undefined ? undefined : (JSON.parse(text) as Partial<KeptSetup>);
  return begun?.purpose === 'app-setup' && clock.now() < (begun.until ?? 0) ? (begun as KeptSetup) : undefined;
}

function isStillAllowed({ accountId }: KeptSetup, person: Caller | undefined): boolean {
  if (accountId === undefined) return true;
  return person?.kind === 'user' && person.account?.id === accountId && person.role === 'administrator';
}

async function exchange({ name }: Host, setup: HostAppSetup, code: string): Promise<HostApp> {
  try {
    return await setup.exchange(code);
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) throw cause;
    const isRefused = cause.kind === 'permanent';
    throw new Failure(
      isRefused ? 'forbidden' : 'unavailable',
      isRefused
        ? `${name} rejected the code that it had issued. Start again.`
        : `${name} does not answer. Reload this page; you can do so for an hour.`,
      {
        cause,
      },
    );
  }
}

function madeOf(app: HostApp, setup: HostAppSetup): MadeApp {
  return { name: app.name, installAddress: setup.installAddress(app) };
}

function configuredAlready(host: string, settings: readonly string[]): string {
  const one = settings.length === 1;
  return (
    `This server signs in to ${host} with ${settings.join(', ')} from its environment. To create an App here, ` +
    `unset ${one ? 'it' : 'them'} and restart the server.`
  );
}

function madeMeanwhile(host: string): string {
  return (
    `Another App was created at ${host} in the meantime. Remove the one that you just created there, or start ` +
    'again.'
  );
}
