import { Failure } from '../core/failure.ts';
import { type Actor, actorOf, auditBy } from '../core/repo/audit.ts';
import type { Caller } from '../core/repo/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Host, Hosts } from '../ports/host.ts';
import type { HostApp, HostAppSetup, HostAppStore, HostForm, StoredHostApp } from '../ports/host-apps.ts';
import { ProviderFailure } from '../ports/provider.ts';

/** How long somebody may take at the host, in ms: as long as its code is worth something. */
export const SETUP_LIMIT = 60 * 60_000;

export interface SetUpAppDeps {
  readonly hosts: Hosts;
  readonly hostApps: HostAppStore;
  readonly secrets: Pick<Secrets, 'newRandom' | 'sealText' | 'openText' | 'equal' | 'requireKey'>;
  readonly seal: (app: HostApp, as: Pick<StoredHostApp, 'revision' | 'at'>) => StoredHostApp;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  /** From now on this server signs in as it. */
  readonly onMade: (app: HostApp) => Promise<void>;
}

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

/** The form that the browser sends to the host, and what it keeps meanwhile. */
export interface BegunAppSetup {
  readonly form: HostForm;
  readonly kept: string;
}

/** Making the App of a git host by a form at it. Failures: `forbidden`, `conflict`, `not-found`, `unavailable`. */
export interface SetUpApp {
  show(caller: Caller): Promise<ShownAppSetup>;
  begin(asked: {
    readonly caller: Caller;
    readonly owner: string;
    /** An App that was made before may go. */
    readonly replaces: boolean;
  }): Promise<BegunAppSetup>;
  /** The browser is back. `person`: who is signed in in it. */
  finish(back: {
    readonly kept: string | undefined;
    readonly person: Caller | undefined;
    readonly state: string;
    readonly code: string;
  }): Promise<MadeApp & { readonly hostName: string }>;
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

export function createSetUpApp(deps: SetUpAppDeps): SetUpApp {
  const { secrets, hostApps, seal, clock, baseUrl, onMade } = deps;
  const revisionOf = async ({ service }: Host): Promise<number> =>
    (await hostApps.list()).find((one) => one.service === service)?.revision ?? 0;
  return {
    async show(caller) {
      refuseOthers(caller);
      const { host, setup } = findSetup(deps.hosts);
      const { configured, permissions, inUse } = setup;
      const isMade = (await revisionOf(host)) > 0;
      return { hostName: host.name, configured, permissions, isMade, inUse: inUse && madeOf(inUse, setup) };
    },
    async begin({ caller, owner, replaces }) {
      refuseOthers(caller);
      const { host, setup } = findSetup(deps.hosts);
      refuseConfigured(host, setup);
      secrets.requireKey();
      const revision = await revisionOf(host);
      if (revision > 0 && !replaces)
        throw new Failure('conflict', `An App was made at ${host.name} before. Confirm that it is to be replaced.`);
      const state = secrets.newRandom();
      const accountId = caller.kind === 'user' ? caller.account?.id : undefined;
      const until = clock.now() + SETUP_LIMIT;
      const actor = actorOf(caller);
      const kept: KeptSetup = { purpose: 'app-setup', state, accountId, actor, revision, until };
      const form = setup.form({ baseUrl: baseUrl(), owner, state });
      return { form, kept: secrets.sealText(JSON.stringify(kept)) };
    },
    async finish({ kept, person, state, code }) {
      const begun = openKept(deps, kept);
      const isBegunHere = begun !== undefined && secrets.equal(state, begun.state) && isStillAllowed(begun, person);
      if (!isBegunHere)
        throw new Failure(
          'forbidden',
          'This was not begun in this browser, took longer than an hour, or is done. Begin again.',
        );
      const { host, setup } = findSetup(deps.hosts);
      refuseConfigured(host, setup);
      const { revision, actor } = begun;
      if ((await revisionOf(host)) !== revision) throw new Failure('conflict', madeMeanwhile(host.name));
      const app = await exchange(host, setup, code);
      const at = clock.now();
      const made = { host: app.host, name: app.name, id: app.id };
      const audit = auditBy(actor, { action: 'app.made', at, after: made });
      if (!(await hostApps.put(seal(app, { revision: revision + 1, at }), audit)))
        throw new Failure('conflict', madeMeanwhile(host.name));
      await onMade(app);
      return { hostName: host.name, ...madeOf(app, setup) };
    },
  };
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

function openKept({ secrets, clock }: SetUpAppDeps, kept: string | undefined): KeptSetup | undefined {
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
        ? `${name} did not take the code that it had given. Begin again.`
        : `${name} does not answer. Load this page again; it may be done within an hour.`,
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
    `This server signs in at ${host} by ${settings.join(', ')} of its environment. Unset ${one ? 'it' : 'them'} and ` +
    'restart it to make an App here.'
  );
}

function madeMeanwhile(host: string): string {
  return `Another App was made at ${host} meanwhile. Remove the one that you just made there, or begin again.`;
}
