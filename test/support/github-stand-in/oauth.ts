import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import type { Caller, Permission, World } from './model.ts';

/** What people may do in repos, by `<owner>/<name>`. */
export type Permissions = Readonly<Record<string, Permission>>;

/** For the App that people sign in through. */
export interface OauthSetUp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds that a token lasts; default: it does not end. */
  readonly expiresIn?: number;
}

interface Code {
  readonly login: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** Signing in on the web, beside the API. */
export interface Oauth {
  app: OauthSetUp | undefined;
  /** Who sits before the browser that comes next. */
  visitor: string;
  readonly permissions: Map<string, Permissions>;
  readonly codes: Map<string, Code>;
  /** By access token. */
  readonly tokens: Map<string, { readonly login: string; readonly endsAt: number }>;
  /** Logins by refresh token; each works once. */
  readonly refreshes: Map<string, string>;
}

export interface OauthPeople {
  /** Lets people sign in through an App. */
  addOauthApp(app: OauthSetUp): void;
  /** Who sits before the browser from now on, and what they may do. */
  visitAs(login: string, permissions: Permissions): void;
  /** Ends what was given to this server in somebody's name. */
  endSignIns(login: string): void;
}

export function createOauth(): Oauth {
  return {
    app: undefined,
    visitor: '',
    permissions: new Map(),
    codes: new Map(),
    tokens: new Map(),
    refreshes: new Map(),
  };
}

export function oauthPeopleOf({ oauth }: World): OauthPeople {
  return {
    addOauthApp: (app) => {
      oauth.app = app;
    },
    visitAs: (login, permissions) => {
      oauth.visitor = login;
      oauth.permissions.set(login, permissions);
    },
    endSignIns: (login) => {
      for (const [token, one] of oauth.tokens) if (one.login === login) oauth.tokens.delete(token);
      for (const [token, one] of oauth.refreshes) if (one === login) oauth.refreshes.delete(token);
    },
  };
}

/** Who asks by a token that was given to them; their rights are those of today. */
export function oauthCaller({ oauth, now }: World, token: string): Caller | undefined {
  const known = oauth.tokens.get(token);
  if (known === undefined || known.endsAt <= now()) return undefined;
  const permissions = oauth.permissions.get(known.login) ?? {};
  return { login: known.login, kind: 'user', access: 'read', repos: Object.keys(permissions), permissions };
}

/** The answer of GitHub's web pages for signing in; undefined: it is another page. */
export function answerOauth(world: World, request: IncomingMessage, body: string): Answer | undefined {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
  if (pathname === '/login/oauth/authorize') return authorize(world, searchParams);
  if (pathname === '/login/oauth/access_token') return giveToken(world, new URLSearchParams(body));
  return undefined;
}

function authorize({ oauth }: World, query: URLSearchParams): Answer {
  const redirectUri = query.get('redirect_uri') ?? '';
  const back = new URL(redirectUri);
  if (query.get('client_id') !== oauth.app?.clientId) return { status: 404 };
  if (query.get('code_challenge_method') !== 'S256') return { status: 400 };
  back.searchParams.set('state', query.get('state') ?? '');
  if (oauth.visitor === '') back.searchParams.set('error', 'access_denied');
  else {
    const code = randomBytes(10).toString('hex');
    oauth.codes.set(code, { login: oauth.visitor, challenge: query.get('code_challenge') ?? '', redirectUri });
    back.searchParams.set('code', code);
  }
  return { status: 302, headers: { location: back.toString() } };
}

function giveToken(world: World, fields: URLSearchParams): Answer {
  const { oauth } = world;
  const { app } = oauth;
  const isApp = fields.get('client_id') === app?.clientId && fields.get('client_secret') === app?.clientSecret;
  if (app === undefined || !isApp) return refuse('incorrect_client_credentials');
  const refresh = fields.get('refresh_token');
  const login = refresh === null ? takeCode(oauth, fields) : oauth.refreshes.get(refresh);
  if (login === undefined) return refuse(refresh === null ? 'bad_verification_code' : 'bad_refresh_token');
  if (refresh !== null) oauth.refreshes.delete(refresh);
  const access = `ghu_${randomBytes(18).toString('hex')}`;
  const next = `ghr_${randomBytes(18).toString('hex')}`;
  const { expiresIn } = app;
  const endsAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : world.now() + expiresIn * 1_000;
  oauth.tokens.set(access, { login, endsAt });
  if (expiresIn !== undefined) oauth.refreshes.set(next, login);
  const ending = expiresIn === undefined ? {} : { expires_in: expiresIn, refresh_token: next };
  return { status: 200, body: { access_token: access, token_type: 'bearer', scope: '', ...ending } };
}

/** A code works once, for who can show what its challenge was made of. */
function takeCode({ codes }: Oauth, fields: URLSearchParams): string | undefined {
  const known = codes.get(fields.get('code') ?? '');
  codes.delete(fields.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(fields.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight = known?.challenge === challenge && known.redirectUri === fields.get('redirect_uri');
  return isRight ? known.login : undefined;
}

/** GitHub answers 200 to these. */
function refuse(error: string): Answer {
  return { status: 200, body: { error } };
}
