import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shaOf } from '../../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../../support/github-stand-in/github-stand-in.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from '../../support/openid-stand-in/openid-stand-in.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { type CommandOutcome, type CommandRun, runBuilt } from './run-command.ts';
import { SecretScan } from './secret-scan.ts';

export const HEAD = shaOf('head of marked');
export const APP_ID = 4_712;
const WORKFLOW = `ghs_${'wF9'.repeat(12)}`;
/** An issuer that only the proxy could reach, and no proxy is there. */
export const FAR_ISSUER = 'https://issuer.example.test';

/** A real server whose secrets are all known to `scan`, with GitHub and an OpenID provider. */
export interface MarkedServer {
  readonly scan: SecretScan;
  readonly github: GithubStandIn;
  readonly openId: OpenIdStandIn;
  readonly server: ServerProcess;
  readonly env: Readonly<Record<string, string>>;
  /** What a server is set to that signs in as an App. */
  readonly asApp: Readonly<Record<string, string>>;
  /** What a server is set to that has no way to sign in at GitHub. */
  readonly asNobody: Readonly<Record<string, string>>;
  /** A command beside the server; `hands`: the secrets that its output is the place of. */
  run(name: string, args: readonly string[], more?: CommandRun, hands?: readonly string[]): Promise<CommandOutcome>;
  /** Hands the lines of the server, its files and what GitHub was told to the scan. */
  noteRest(): Promise<void>;
  end(): Promise<void>;
}

const random = (): string => randomBytes(24).toString('base64url');

export async function startMarked(): Promise<MarkedServer> {
  const scan = new SecretScan();
  const githubToken = scan.mark('GITHUB_TOKEN', `ghp_${randomBytes(18).toString('hex')}`);
  const mona = { login: 'mona', kind: 'user', access: 'write' } as const;
  const tokens = { [githubToken]: mona, [scan.mark('workflow token', WORKFLOW)]: { ...mona, repos: ['acme/shop'] } };
  const github = await startGithubStandIn({ tokens });
  github.addRepo('acme/shop', { private: true });
  github.addCommit('acme/shop', { sha: HEAD, branch: 'main' });
  github.addPullRequest('acme/shop', { number: 7, headSha: HEAD, baseRef: 'main' });
  let url = '';
  const openId = await startOpenIdStandIn(() => [`${url}/sign-in/openid/callback`]);
  const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  github.addApp({ id: APP_ID, slug: 'marked', publicKey: keys.publicKey });
  github.installApp({ app: APP_ID, owner: 'acme' });
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const proxyPassword = scan.mark('proxy password', random());
  const env = {
    ADMIN_TOKEN: scan.mark('ADMIN_TOKEN', `of-the-administrator-${random()}`),
    SECRET_KEY: scan.mark('SECRET_KEY', randomBytes(32).toString('hex')),
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: githubToken,
    GITHUB_WEBHOOK_SECRET: scan.mark('webhook secret', `"of-the-webhook"&${random()}`),
    GITHUB_APP_CLIENT_ID: 'Iv1.marked',
    GITHUB_APP_CLIENT_SECRET: scan.mark('client secret of the App', random()),
    GITHUB_OIDC_ISSUERS: `${github.idTokenIssuer()},${FAR_ISSUER}`,
    OIDC_ISSUER: openId.issuer,
    OIDC_CLIENT_ID: openId.clientId,
    OIDC_CLIENT_SECRET: scan.mark('OpenID client secret', openId.clientSecret),
    OIDC_ALLOWED_DOMAINS: '*',
    HTTPS_PROXY: `http://coverage:${proxyPassword}@127.0.0.1:9`,
    NO_PROXY: '127.0.0.1',
    LOG_LEVEL: 'trace',
    WORKER_THREADS: '1',
  };
  github.addOauthApp({ clientId: env.GITHUB_APP_CLIENT_ID, clientSecret: env.GITHUB_APP_CLIENT_SECRET });
  const server = await startServer({ env });
  url = server.url;
  const { GITHUB_TOKEN: _, ...rest } = env;
  const databaseUrl = `sqlite:${server.directory}/coverage.db`;
  return {
    scan,
    github,
    openId,
    server,
    env,
    asApp: {
      GITHUB_TOKEN: '',
      GITHUB_APP_ID: String(APP_ID),
      GITHUB_APP_PRIVATE_KEY: scan.mark('GITHUB_APP_PRIVATE_KEY', privateKey),
    },
    asNobody: {
      GITHUB_TOKEN: '',
      GITHUB_WEBHOOK_SECRET: '',
      GITHUB_APP_CLIENT_ID: '',
      GITHUB_APP_CLIENT_SECRET: '',
    },
    async run(name, args, more = {}, hands = []) {
      const settings = { ...rest, GITHUB_TOKEN: githubToken, DATABASE_URL: databaseUrl, ...more.env };
      const outcome = await runBuilt(name, args, { cwd: server.directory, ...more, env: settings });
      scan.note(`the output of npm run ${name} ${args[0] ?? ''}`, outcome.stdout, hands);
      scan.note(`the notes of npm run ${name} ${args[0] ?? ''}`, outcome.stderr);
      return outcome;
    },
    async noteRest() {
      for (const line of server.output()) scan.note(`the server's line ${line.slice(0, 300)}`, line);
      const told = github.requests().filter(({ path }) => path.startsWith('/repos/'));
      for (const { path, body } of told)
        scan.note(`what GitHub was told at ${path}`, `${path} ${JSON.stringify(body)}`);
      for (const name of await readdir(server.directory))
        if (!name.endsWith('repo-tokens.txt'))
          scan.note(`the file ${name}`, await readFile(join(server.directory, name)));
    },
    async end() {
      await server.dispose();
      await Promise.all([github.close(), openId.close()]);
    },
  };
}
