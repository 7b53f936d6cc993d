import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import { tokenOf } from './http-message.ts';
import type { RepoRecord, World } from './model.ts';

/** Claims of an ID token; what a test states wins, `undefined` leaves a claim out. */
export type IdTokenClaims = Readonly<Record<string, unknown>>;

/** How a token is signed where it is not as GitHub does. */
export interface Signing {
  readonly alg?: 'RS256' | 'HS256' | 'none' | 'RS512';
  /** Names another key than the one that signs. */
  readonly kid?: string;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The issuer of ID tokens beside the API, as GitHub Enterprise Server has it. */
export interface IdTokenIssuer {
  keyId: string;
  /** What a job's steps may ask for ID tokens with, and of which run it is. */
  readonly requests: Map<string, IdTokenClaims>;
  /** How often its keys were asked for. */
  keyRequests: number;
  /** Answers nothing but 503. */
  isAway: boolean;
  /** The issuer that it names; undefined: its own address. */
  origin?: string;
}

/** What GitHub's runner gives a job with `id-token: write`. */
export type IdTokenVariables = Readonly<
  Record<'ACTIONS_ID_TOKEN_REQUEST_URL' | 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', string>
>;

export interface IdTokenSetUp {
  idTokenIssuer(): string;
  /** A token of a run of that repo. Without `claims.run_id` of its newest run. */
  issueIdToken(repo: string, claims: IdTokenClaims, signing?: Signing): string;
  /** Lets a job of the run ask for tokens itself. */
  allowIdTokens(repo: string, claims?: IdTokenClaims): IdTokenVariables;
  /** Replaces the key by which tokens are signed. */
  rotateIdTokenKey(): void;
  idTokenKeyRequests(): number;
  stopIdTokens(isAway: boolean): void;
  /** It is reached at this origin from now on, as behind a proxy. */
  publishIssuer(origin: string): void;
}

const PATH = '/_services/token';
/** Seconds that a token lasts. */
const LASTS = 300;
const keys = new Map<string, SigningKey>();

/** Made when it is needed, and once: a key takes longer than a test. */
function keyOf(kid: string): SigningKey {
  const key = keys.get(kid) ?? { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  keys.set(kid, key);
  return key;
}

export function createIdTokenIssuer(): IdTokenIssuer {
  return { keyId: 'first', requests: new Map(), keyRequests: 0, isAway: false };
}

export function idTokensOf(world: World): IdTokenSetUp {
  const { idTokens } = world;
  return {
    idTokenIssuer: () => issuerOf(world),
    issueIdToken: (repo, claims, signing) => signToken(world, claimsOf(world, repoNamed(world, repo), claims), signing),
    allowIdTokens(repo, claims = {}) {
      const token = randomBytes(12).toString('hex');
      const known = claimsOf(world, repoNamed(world, repo), claims);
      idTokens.requests.set(token, { ...known, ...claims });
      const url = `${issuerOf(world)}/request?api-version=2.0`;
      return { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token };
    },
    rotateIdTokenKey() {
      idTokens.keyId = 'second';
    },
    idTokenKeyRequests: () => idTokens.keyRequests,
    stopIdTokens(isAway) {
      idTokens.isAway = isAway;
    },
    publishIssuer(origin) {
      idTokens.origin = origin;
    },
  };
}

/** What the issuer answers; undefined: it is another page. */
export function answerIdTokens(world: World, request: IncomingMessage): Answer | undefined {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
  if (!pathname.startsWith(`${PATH}/`)) return undefined;
  const { idTokens } = world;
  if (idTokens.isAway) return { status: 503 };
  if (pathname === `${PATH}/.well-known/openid-configuration`) {
    const issuer = issuerOf(world);
    return { status: 200, body: { issuer, jwks_uri: `${issuer}/.well-known/jwks` } };
  }
  if (pathname === `${PATH}/.well-known/jwks`) {
    idTokens.keyRequests += 1;
    const { kid, publicKey } = keyOf(idTokens.keyId);
    return { status: 200, body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] } };
  }
  const claims = idTokens.requests.get(tokenOf(request) ?? '');
  if (claims === undefined) return { status: 401 };
  const fresh = { ...claims, ...timesOf(world), jti: randomBytes(8).toString('hex') };
  return { status: 200, body: { value: signToken(world, { ...fresh, aud: searchParams.get('audience') }) } };
}

function issuerOf({ apiUrl, idTokens }: World): string {
  return `${idTokens.origin ?? new URL(apiUrl).origin}${PATH}`;
}

function repoNamed({ repos }: World, name: string): RepoRecord {
  const repo = repos.get(name.toLowerCase());
  if (repo === undefined) throw new Error(`There is no repo ${name}`);
  return repo;
}

/** Those of a job of a push (docs.github.com, "OpenID Connect reference"). */
function claimsOf(world: World, repo: RepoRecord, stated: IdTokenClaims): IdTokenClaims {
  const run = [...repo.runs.values()].find(({ id }) => String(id) === stated.run_id) ?? [...repo.runs.values()].at(-1);
  const name = `${repo.owner}/${repo.name}`;
  const ref = `refs/heads/${run?.headBranch ?? repo.defaultBranch}`;
  return {
    iss: issuerOf(world),
    jti: randomBytes(8).toString('hex'),
    ...timesOf(world),
    sub: `repo:${name}:ref:${ref}`,
    repository: name,
    repository_id: String(repo.id),
    repository_owner: repo.owner,
    run_id: String(run?.id ?? 1),
    run_number: String(run?.runNumber ?? 1),
    run_attempt: String(run?.attempt ?? 1),
    sha: run?.headSha,
    ref,
    ref_type: 'branch',
    head_ref: '',
    base_ref: '',
    event_name: run?.event ?? 'push',
    actor: run?.actor ?? 'mona',
    runner_environment: 'github-hosted',
    ...stated,
  };
}

function timesOf({ now }: World): IdTokenClaims {
  const at = Math.floor(now() / 1_000);
  return { nbf: at - 600, iat: at, exp: at + LASTS };
}

function signToken({ idTokens }: World, claims: IdTokenClaims, signing: Signing = {}): string {
  const key = keyOf(idTokens.keyId);
  const { alg = 'RS256', kid = key.kid } = signing;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg, kid })}.${part(claims)}`;
  return `${text}.${signatureOf(text, alg, key).toString('base64url')}`;
}

function signatureOf(text: string, alg: Signing['alg'], { privateKey, publicKey }: SigningKey): Buffer {
  if (alg === 'none') return Buffer.alloc(0);
  // The old confusion: a public key taken for a shared secret.
  if (alg === 'HS256') {
    const secret = publicKey.export({ format: 'pem', type: 'spki' });
    return createHmac('sha256', secret).update(text).digest();
  }
  return sign(alg === 'RS512' ? 'sha512' : 'sha256', Buffer.from(text), privateKey);
}
