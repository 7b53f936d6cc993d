import { generateKeyPairSync } from 'node:crypto';
import type { GithubStandIn } from './github-stand-in/github-stand-in.ts';

const APP_ID = 4_711;
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Makes a GitHub App that is installed for these owners; answers what a server is set to that signs in as it. */
export function signInAsApp(github: GithubStandIn, owners: readonly string[]): Readonly<Record<string, string>> {
  github.addApp({ id: APP_ID, slug: 'coverage', publicKey });
  for (const owner of owners) github.installApp({ app: APP_ID, owner });
  return { GITHUB_TOKEN: '', GITHUB_APP_ID: String(APP_ID), GITHUB_APP_PRIVATE_KEY: pem };
}
