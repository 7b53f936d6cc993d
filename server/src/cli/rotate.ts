import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { Failure } from '../core/failure.ts';
import { auditBy, auditName, COMMAND_LINE } from '../core/repo/audit.ts';
import type { Repo } from '../core/repo/repo.ts';
import { counted } from '../core/sentences.ts';
import { findSecrets, keyFileOf, makeSecrets } from '../platform/secrets/open-secrets.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { StoredHostApp } from '../ports/host-apps.ts';
import { findLostHostTokens } from '../storage/host-tokens.ts';
import type { Store } from '../storage/store.ts';
import { runServerCommand, UsageError } from './command/command-line.ts';
import { openCommandStore } from './command/command-store.ts';
import { confirm } from './command/confirm.ts';
import { findRepo } from './command/find-repo.ts';

const ROTATED = 'Give each repo its new token in the secrets of its CI.';

/** For which repos new tokens are made. */
type Asked = { readonly which: 'lost' | 'all'; readonly isAgreed: boolean } | { readonly name: string };

const YES = '--yes';

await runServerCommand(
  `\
Creates new repo tokens, and prints a line "<repo> <token>" for each. Servers can keep running.

  npm run rotate -- --repo <service>/<owner>/<name>   for one repo
  npm run rotate -- --lost                            for each repo with a token that no key can decrypt
  npm run rotate -- --all                             for all repos

The old tokens end immediately: uploads with an old token fail until CI has the new one. Uploads with an ID token or a
token of the git host still work. If the key file is missing, --lost creates a new one; then restart the server. An App
from /setup that no key can decrypt is removed. You are asked before anything is changed; --yes says yes.`,
  (args) => {
    const { repo: name, lost, all, yes: isAgreed = false, help } = readArguments(args);
    if (help) return undefined;
    if ([name, lost, all].filter((one) => one !== undefined).length !== 1)
      throw new UsageError('Say for which repos: one of --repo <service>/<owner>/<name>, --lost and --all.');
    return (config) => rotate(config, name === undefined ? { which: lost ? 'lost' : 'all', isAgreed } : { name });
  },
);

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
      if (known === undefined)
        throw new Failure(
          'unavailable',
          'The key file beside the database is missing, and SECRET_KEY is not set, so a new token cannot be stored. ' +
            'Bring the key back, or give it up for all repos: npm run rotate -- --lost.',
        );
      const repo = await findRepo(store, asked.name);
      console.error(rotateBreaks(1));
      await replaceToken(store, known, repo);
      return 0;
    }
    const repos = await findRepos(store, asked.which === 'lost' ? known : 'all');
    const apps = (await store.hostApps.list()).filter(({ sealed }) => known?.openText(sealed) === undefined);
    const ofHosts = await findLostHostTokens(store.repos, (sealed) => known?.openText(sealed));
    if (known !== undefined && repos.length + apps.length === 0) {
      console.error('The key can decrypt every stored repo token. Nothing was changed.');
      return 0;
    }
    if (repos.length > 0) console.error(rotateBreaks(repos.length));
    if (apps.length > 0)
      console.error(
        'No key can decrypt the App that was created at /setup: it is removed, and it announces nothing until you ' +
          'create it there again.',
      );
    if (ofHosts.length > 0)
      console.error(
        `The git host tokens of some repos cannot be decrypted either. Set new ones for ${ofHosts.join(', ')}.`,
      );
    const question =
      repos.length > 0 ? 'Revoke the old tokens now?' : 'Give up everything that no key can decrypt now?';
    if (!asked.isAgreed && !(await confirm(question, YES))) return 1;
    // Only now: beside sealed tokens a new key file says that the old one is given up.
    const secrets = known ?? (await makeSecrets(config));
    for (const repo of repos) await replaceToken(store, secrets, repo);
    for (const app of apps) await removeApp(store, app);
    if (known === undefined) console.error(`Made ${keyFileOf(config) ?? ''}: back it up, and start the server again.`);
    if (repos.length > 0) console.error(ROTATED);
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

function removeApp({ hostApps }: Store, app: StoredHostApp): Promise<boolean> {
  const before = { service: app.service };
  return hostApps.remove(app, auditBy(COMMAND_LINE, { action: 'app.removed', at: Date.now(), before }));
}

function rotateBreaks(repos: number): string {
  return (
    `New tokens for ${counted(repos, 'repo')}. Uploads with an old token fail until CI has the ` +
    'new one. If the key changed, the URLs of private badges change too.'
  );
}
