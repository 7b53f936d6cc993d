import type { HostApp, HostAppStore, StoredHostApp } from '../ports/host-apps.ts';
import type { Secrets } from './secrets.ts';

/** An App as it is stored after `revision` changes. */
export function sealHostApp(
  app: HostApp,
  secrets: Pick<Secrets, 'sealText' | 'requireKey'>,
  { revision, at }: Pick<StoredHostApp, 'revision' | 'at'>,
): StoredHostApp {
  secrets.requireKey();
  return { service: app.service, revision, sealed: secrets.sealText(JSON.stringify(app)), at };
}

/** Undefined: neither the current nor the previous key opens it. */
export function openHostApp({ sealed }: StoredHostApp, secrets: Pick<Secrets, 'openText'>): HostApp | undefined {
  const text = secrets.openText(sealed);
  return text === undefined ? undefined : (JSON.parse(text) as HostApp);
}

/**
 * The Apps that were created on git hosts, read at start. While there is a previous key, each is sealed again with the
 * current one, so that SECRET_KEY_PREVIOUS can be unset afterward.
 */
export async function readHostApps(deps: {
  readonly hostApps: HostAppStore;
  readonly secrets: Pick<Secrets, 'sealText' | 'openText' | 'requireKey'>;
  readonly hasPreviousKey: boolean;
}): Promise<{ readonly apps: readonly HostApp[]; readonly unreadable: readonly StoredHostApp['service'][] }> {
  const { hostApps, secrets, hasPreviousKey } = deps;
  const apps: HostApp[] = [];
  const unreadable: StoredHostApp['service'][] = [];
  for (const stored of await hostApps.list()) {
    const app = openHostApp(stored, secrets);
    if (app === undefined) unreadable.push(stored.service);
    else apps.push(app);
    const { revision, at } = stored;
    if (app !== undefined && hasPreviousKey)
      await hostApps.put(sealHostApp(app, secrets, { revision: revision + 1, at }));
  }
  return { apps, unreadable };
}
