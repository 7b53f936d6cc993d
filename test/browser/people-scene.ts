import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from '../support/openid-stand-in/openid-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

/** A server that people come to in every way, its GitHub, and a real OpenID provider. */
export interface PeopleScene {
  readonly service: Service;
  readonly github: GithubStandIn;
  readonly openid: OpenIdStandIn;
  /** Ends everything; fails where GitHub was asked for what it does not offer. */
  stop(): Promise<void>;
}

const APP = { clientId: 'Iv1.stand-in', clientSecret: 'client-secret-0123456789' };

/** The server's name differs from that of the providers, so that a browser takes them for other sites. */
export async function startPeopleScene(): Promise<PeopleScene> {
  const github = await startGithubStandIn();
  github.addOauthApp(APP);
  let service: Service | undefined;
  const openid = await startOpenIdStandIn(() => [`${service?.url}/sign-in/openid/callback`]);
  const started = await startService({
    github,
    env: {
      HOST: 'localhost',
      GITHUB_APP_CLIENT_ID: APP.clientId,
      GITHUB_APP_CLIENT_SECRET: APP.clientSecret,
      OIDC_ISSUER: openid.issuer,
      OIDC_CLIENT_ID: openid.clientId,
      OIDC_CLIENT_SECRET: openid.clientSecret,
      OIDC_NAME: 'Acme ID',
      OIDC_ALLOWED_DOMAINS: 'acme.example',
      OIDC_ADMIN_GROUP: 'ops',
      OIDC_GROUP_ROLES: 'shop=github/acme/shop:reader',
    },
  });
  service = started;
  return {
    service: started,
    github,
    openid,
    async stop() {
      await started.stop();
      await Promise.all([github.close(), openid.close()]);
      expect(github.violations()).toEqual([]);
    },
  };
}

/** What `curl` is answered. */
export async function curl(...args: readonly string[]): Promise<{ readonly status: number; readonly text: string }> {
  const asked = ['--silent', '--show-error', '--max-time', '20', '--write-out', '\n%{http_code}', ...args];
  const { stdout } = await promisify(execFile)('curl', asked, { env: inheritedEnvironment() });
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
}
