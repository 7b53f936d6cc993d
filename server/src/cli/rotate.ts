import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { Failure } from '../core/failure.ts';
import { auditBy, auditName, COMMAND_LINE } from '../core/repo/audit.ts';
import type { Repo } from '../core/repo/repo.ts';
import * as say from '../messages/rotate.ts';
import { findSecrets, keyFileOf, makeSecrets } from '../platform/secrets/open-secrets.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Store } from '../storage/store.ts';
import { runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore } from './command/command-store.ts';
import { confirm } from './command/confirm.ts';
import { findRepo } from './command/find-repo.ts';

/** Of which repos new tokens are made. */
type Asked = { readonly which: 'lost' | 'all'; readonly isAgreed: boolean } | { readonly name: string };

const YES = '--yes';

await runServerCommand(say.ROTATE_USAGE, (args) => {
  const { repo: name, lost, all, yes: isAgreed = false, help } = readArguments(args);
  if (help) return undefined;
  if ([name, lost, all].filter((one) => one !== undefined).length !== 1) throw new UsageError(say.ROTATE_WHICH);
  return (config) => rotate(config, name === undefined ? { which: lost ? 'lost' : 'all', isAgreed } : { name });
});

function readArguments(args: readonly string[]) {
  try {
    const aSwitch = { type: 'boolean' } as const;
    const options = { lost: aSwitch, all: aSwitch, yes: aSwitch, help: { ...aSwitch, short: 'h' } } as const;
    return parseArgs({ args: [...args], options: { repo: { type: 'string' }, ...options } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function rotate(config: ServerConfig, asked: Asked): Promise<number> {
  const store = await openCommandStore(config, { make: false });
  try {
    const known = await findSecrets(config);
    if ('name' in asked) {
      if (known === undefined) throw new Failure('unavailable', say.ROTATE_NO_KEY);
      const repo = await findRepo(store, asked.name);
      console.error(say.rotateBreaks(1));
      await replaceToken(store, known, repo);
      return 0;
    }
    const repos = await findRepos(store, asked.which === 'lost' ? known : 'all');
    const apps = (await store.hostApps.list()).filter(({ sealed }) => known?.openText(sealed) === undefined);
    if (known !== undefined && repos.length === 0) {
      console.error(say.NOTHING_LOST);
      return 0;
    }
    console.error(say.rotateBreaks(repos.length));
    if (apps.length > 0) console.error(say.APPS_LOST);
    if (!asked.isAgreed && !(await confirm(say.ASK_ROTATE, YES))) return 1;
    // Only now: beside sealed tokens a new key file says that the old one is given up.
    const secrets = known ?? (await makeSecrets(config));
    for (const repo of repos) await replaceToken(store, secrets, repo);
    console.error(known === undefined ? say.rotatedByNewKey(keyFileOf(config) ?? '') : say.ROTATED);
    return 0;
  } finally {
    await store.close();
  }
}

/** Those with a token, or whose newest token these secrets do not open. */
async function findRepos({ repos }: Store, which: Secrets | undefined | 'all'): Promise<readonly Repo[]> {
  const tokens = await repos.listTokens();
  const newest = tokens.filter(({ expiresAt }) => expiresAt === undefined);
  const asked = newest.filter(({ sealed }) => which === 'all' || which?.unseal(sealed) === undefined);
  const ids = [...new Set(asked.map(({ repoId }) => repoId))];
  const found: (Repo | undefined)[] = [];
  for (const id of ids) found.push(await repos.find(id));
  return found.filter((repo) => repo !== undefined);
}

/** A line a repo on stdout, so that a script can take it: one that is cut off may be run again. */
async function replaceToken({ repos }: Store, secrets: Secrets, repo: Repo): Promise<void> {
  const token = secrets.newRepoToken();
  const at = Date.now();
  const audit = auditBy(COMMAND_LINE, { action: 'repo-token.replaced', at, repo, after: { oldUntil: null } });
  const sealed = { ...secrets.seal(token), expiresAt: undefined };
  if (await repos.replaceToken({ repoId: repo.id, token: sealed, oldUntil: undefined, at }, audit))
    console.log(`${auditName(repo)} ${token}`);
}
