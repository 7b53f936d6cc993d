import { createHash } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { retry } from '@octokit/plugin-retry';
import { type ThrottlingOptions, throttling } from '@octokit/plugin-throttling';
import { Octokit } from '@octokit/rest';
import type { Logger } from '../../platform/logger.ts';
import type { WritePacer } from '../write-pacer.ts';

const PacedOctokit: typeof Octokit = Octokit.plugin(retry, throttling);

/** Octokit with our plugins, which add options but no methods. */
export type GithubClient = Octokit;

/** The App that signs requests by its private key. */
export interface GithubApp {
  readonly id: number;
  /** RSA, as PEM. */
  readonly privateKey: string;
}

interface ClientSettings {
  readonly apiUrl: string;
  readonly logger: Logger;
  /**
   * What signs its requests: a token; the App, whose every JWT auth-app makes, and makes again where GitHub's clock is
   * another one; or nothing, where each request brings its own token or needs none.
   */
  readonly auth: string | GithubApp | undefined;
}

interface PacedSettings extends ClientSettings {
  /** Identifies the sign-in among all others. */
  readonly name: string;
  readonly pace: WritePacer;
  /** Milliseconds before a read is repeated for the first time; 4 times that before the second. */
  readonly retryPause: number;
}

const READ_RETRIES = 2;
/** GitHub's API versions are pinned: without the header a later default could change the answers. */
const API_VERSION = '2022-11-28';

/**
 * Octokit so configured that it never repeats a write and never sleeps through a rate limit: both belong to the outbox.
 */
export function openPacedClient({ name, pace, retryPause, ...settings }: PacedSettings): GithubClient {
  const client = new PacedOctokit({
    ...optionsOf(settings),
    retry: {
      retries: READ_RETRIES,
      retryAfterBaseValue: retryPause,
      doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451],
    },
    throttle: {
      // The plugin's queues are shared by the whole process: one for each sign-in and host, or all wait for each other.
      id: createHash('sha256').update(`${settings.apiUrl}\n${name}`).digest('hex').slice(0, 16),
      write: pacedBy(pace),
      // Comments are paced as any write is; the plugin's own 3 s between them are not a setting.
      notifications: pacedBy(async () => {}),
      // Waiting here would outlast the delivery's lease: the outbox tries again when the failure says.
      onRateLimit: () => false,
      onSecondaryRateLimit: () => false,
    },
  });
  client.hook.before('request', (options) => {
    // Repeating a createComment after a 502 made two comments. (Only 0 may be set on a request: the plugin repeats even
    // what it was told not to repeat when a request names a number.)
    if (options.method !== 'GET') options.request.retries = 0;
  });
  return pinned(client);
}

/**
 * Without plugins, for one request's token: their queues, one for each token, would outlive the request, and the caller
 * decides whether to ask again.
 */
export function openClient(settings: ClientSettings): GithubClient {
  return pinned(new Octokit(optionsOf(settings)));
}

function optionsOf({ apiUrl, logger, auth }: ClientSettings) {
  return {
    ...(typeof auth === 'object'
      ? { authStrategy: createAppAuth, auth: { appId: auth.id, privateKey: auth.privateKey } }
      : { auth }),
    baseUrl: withoutTrailingSlashes(apiUrl),
    userAgent: 'coverage-service',
    log: toOctokitLog(logger),
  };
}

function pinned(client: GithubClient): GithubClient {
  client.hook.before('request', (options) => {
    options.headers['x-github-api-version'] = API_VERSION;
  });
  return client;
}

/** Octokit joins it with paths that begin with one. */
function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url.charAt(end - 1) === '/') end -= 1;
  return url.slice(0, end);
}

type LimiterGroup = Extract<ThrottlingOptions, { write?: unknown }>['write'];

/** The only thing that plugin-throttling does with a group of limiters, done by our pacer: its rate is a setting. */
function pacedBy(pace: WritePacer): NonNullable<LimiterGroup> {
  const limiter = {
    schedule: async (_options: object, job: () => Promise<unknown>) => {
      await pace();
      return job();
    },
  };
  return { key: () => limiter } as unknown as NonNullable<LimiterGroup>;
}

/** Octokit's debug line holds whole requests, headers too: it is dropped. The others name method, path and status. */
function toOctokitLog(logger: Logger) {
  return {
    debug: () => {},
    info: (line: string) => logger.debug({ call: String(line) }, 'GitHub was called'),
    warn: (line: string) => logger.warn({ warning: String(line) }, 'the GitHub client warns'),
    error: (line: string) => logger.debug({ call: String(line) }, 'a call of GitHub failed'),
  };
}
