/** For the webhooks of every host. */
export const HOOK_SECRET = 'known-to-the-git-hosts-alone-0123456789';
const HOSTS = ['GITLAB', 'GITEA', 'FORGEJO', 'BITBUCKET', 'BITBUCKET_SERVER'];

/** The settings of a server that speaks with every git host that this version knows, all of them at one address. */
export function allHosts(url: string): Readonly<Record<string, string>> {
  const settings = HOSTS.flatMap((host) => [
    [host === 'BITBUCKET' ? 'BITBUCKET_API_URL' : `${host}_URL`, url],
    [`${host}_TOKEN`, `the-servers-own-token-of-${host}`],
    [`${host}_CLIENT_ID`, `client-of-${host}`],
    [`${host}_CLIENT_SECRET`, `secret-of-the-client-of-${host}`],
    [`${host}_WEBHOOK_SECRET`, HOOK_SECRET],
  ]);
  return {
    ...Object.fromEntries(settings),
    GITHUB_API_URL: url,
    GITHUB_TOKEN: 'the-servers-own-token-of-github',
    GITHUB_WEBHOOK_SECRET: HOOK_SECRET,
    GITHUB_OIDC_ISSUERS: url,
    GITHUB_APP_CLIENT_ID: 'client-of-GITHUB',
    GITHUB_APP_CLIENT_SECRET: 'secret-of-the-client-of-GITHUB',
    // GitLab's other form, whose header may hold many signatures.
    GITLAB_WEBHOOK_SECRET: `whsec_${Buffer.from(HOOK_SECRET).toString('base64')}`,
  };
}

const SERVICES = ['gitlab', 'gitea', 'forgejo', 'bitbucket', 'stash'];

/** The routes of such a server that test/support/access/answers.md, which is of a server on GitHub, does not name. */
export const ROUTES_OF_HOSTS: readonly string[] = SERVICES.map((service) => `POST /hooks/${service}`);

/** A route with the key of each host where it has a parameter for one. */
export function withProviders(route: string): readonly string[] {
  if (!route.includes(':provider')) return [route];
  return ['github', ...SERVICES].map((key) => route.replace(':provider', key));
}

/** Beginnings of tokens that such a server has their hosts asked about. */
export const TOKENS_OF_HOSTS: readonly string[] = ['ghs_', 'ghp_', 'github_pat_', 'glcbt-', 'glpat-', 'gloas-'];

/** A text of the form of an ID token, which names this issuer and a key that it does not have. */
export function forgedIdToken(issuer: string, filling: string): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'RS256', kid: 'none' })}.${encode({ iss: issuer, filling })}.AAAA`;
}
