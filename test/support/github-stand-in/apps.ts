import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { RepoRecord, World } from './model.ts';

/** A GitHub App. */
export interface AppRecord {
  readonly id: number;
  /** Its bot is `<slug>[bot]`. */
  readonly slug: string;
  /** For the key that signs its JWTs. */
  readonly publicKey: KeyObject;
  /** Default: what docs/github-app.md asks for. */
  readonly permissions?: Readonly<Record<string, string>>;
  readonly events?: readonly string[];
}

/** An App on an owner's repos. */
export interface InstallationRecord {
  readonly id: number;
  readonly app: AppRecord;
  readonly owner: string;
  /** Names of repos, `<owner>/<name>`; undefined: all of the owner. */
  readonly repos: readonly string[] | undefined;
  readonly access: 'read' | 'write';
  /** What its owner agreed to; default: what the App asks for. */
  readonly permissions?: Readonly<Record<string, string>>;
  /** ms since 1970. */
  readonly suspendedAt: number | undefined;
  readonly createdAt: number;
}

/** A token of an installation. */
export interface InstallationToken {
  readonly installation: number;
  /** ms since 1970. */
  readonly expiresAt: number;
  readonly access: InstallationRecord['access'];
}

/** All Apps, with who installed them. */
export interface Apps {
  readonly apps: Map<number, AppRecord>;
  readonly installations: Map<number, InstallationRecord>;
  /** By token. */
  readonly tokens: Map<string, InstallationToken>;
}

export interface InstallationSetUp {
  readonly app: number;
  readonly owner: string;
  readonly repos?: readonly string[];
  readonly access?: 'read' | 'write';
}

/** What a test does with Apps. */
export interface AppSetUp {
  addApp(app: AppRecord): void;
  /** Installs an App for an owner; answers the installation's id. */
  installApp(setUp: InstallationSetUp): number;
  changeInstallation(id: number, change: Partial<Pick<InstallationRecord, 'repos' | 'access' | 'permissions'>>): void;
  /** Its tokens are refused until it is unsuspended. */
  suspendInstallation(id: number): void;
  unsuspendInstallation(id: number): void;
  /** It was removed, and its tokens with it. */
  removeInstallation(id: number): void;
  /** Ends every token of an installation at once. */
  revokeTokens(id: number): void;
  /** As webhooks describe it. */
  installation(id: number): InstallationRecord;
  /** How many tokens an installation was given and has. */
  tokensOf(id: number): number;
}

export function createApps(): Apps {
  return { apps: new Map(), installations: new Map(), tokens: new Map() };
}

/** GitHub's tokens last an hour. */
const LASTS = 3_600_000;

export function makeToken(
  { apps, now }: World,
  installation: number,
): { readonly token: string; readonly expiresAt: number } {
  const token = `ghs_${randomBytes(18).toString('hex')}`;
  const expiresAt = now() + LASTS;
  // What it may do stays as it was when it was made.
  const access = apps.installations.get(installation)?.access ?? 'read';
  apps.tokens.set(token, { installation, expiresAt, access });
  return { token, expiresAt };
}

export function appSetUpOf(world: World): AppSetUp {
  const { apps, installations, tokens } = world.apps;
  const installation = (id: number): InstallationRecord => {
    const known = installations.get(id);
    if (!known) throw new Error(`There is no installation ${id}: installApp first`);
    return known;
  };
  const change = (id: number, fields: Partial<InstallationRecord>): void => {
    installations.set(id, { ...installation(id), ...fields });
  };
  const revokeTokens = (id: number): void => {
    for (const [token, { installation }] of tokens) if (installation === id) tokens.delete(token);
  };
  return {
    addApp: (app) => void apps.set(app.id, app),
    installApp({ app: appId, owner, repos, access = 'write' }) {
      const app = apps.get(appId);
      if (!app) throw new Error(`There is no App ${appId}: addApp first`);
      const id = world.nextId('installation');
      installations.set(id, { id, app, owner, repos, access, suspendedAt: undefined, createdAt: world.now() });
      return id;
    },
    changeInstallation: change,
    suspendInstallation: (id) => change(id, { suspendedAt: world.now() }),
    unsuspendInstallation: (id) => change(id, { suspendedAt: undefined }),
    removeInstallation(id) {
      revokeTokens(id);
      installations.delete(id);
    },
    revokeTokens,
    installation,
    tokensOf: (id) => [...tokens.values()].filter(({ installation }) => installation === id).length,
  };
}

/** The installation of an App that covers a repo. */
export function installationOf(world: World, app: AppRecord, repo: RepoRecord): InstallationRecord | undefined {
  return [...world.apps.installations.values()].find((one) => one.app.id === app.id && isCovered(one, repo));
}

export function isCovered({ owner, repos }: InstallationRecord, repo: RepoRecord): boolean {
  const name = `${repo.owner}/${repo.name}`.toLowerCase();
  const isOwners = repo.owner.toLowerCase() === owner.toLowerCase();
  return isOwners && (repos === undefined || repos.some((one) => one.toLowerCase() === name));
}

/** A number of an owner that is the same each time. */
export function accountId(login: string): number {
  return Number.parseInt(createHash('sha256').update(login.toLowerCase()).digest('hex').slice(0, 7), 16) + 1;
}
