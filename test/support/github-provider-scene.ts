import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { StatusContent } from '../../server/src/core/announce/delivery.ts';
import { createGithubProvider, type GithubProviderOptions } from '../../server/src/hosts/github/github-provider.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import { type Provider, ProviderFailure } from '../../server/src/ports/provider.ts';
import { createHandClock } from './delivery-rounds.ts';
import { head, startScene } from './github-scene.ts';
import type { GithubStandIn, GithubStandInOptions } from './github-stand-in/github-stand-in.ts';
import { createLogbook } from './logbook.ts';

/** When every test begins. */
export const START = Date.parse('2030-01-01T00:00:00Z');
export const repo = 'acme/shop';
export const place = { repo, commit: head, context: 'coverage' };
export const content: StatusContent = {
  kind: 'status',
  state: 'success',
  description: '81.20%',
  targetUrl: 'https://coverage.example/builds/7',
};
export const marker = '<!-- coverage: https://coverage.example repo 1 -->';
export const body = `${marker}\n\n## Coverage 81.20%`;
/** Everything that the providers of one file logged. */
export const logbook = createLogbook();

type Options = Partial<GithubProviderOptions>;

let github: GithubStandIn | undefined;
let server: Server | undefined;
let clock = createHandClock(START);

/** Moves the clock of the stand-in and of every provider. */
export function pass(ms: number): void {
  clock.set(clock.now() + ms);
}

/** A provider that repeats failed reads almost at once. */
export function connect(apiUrl: string, token: string, options: Options = {}): Provider {
  const now = () => clock.now();
  return createGithubProvider({
    fetch,
    apiUrl,
    token,
    clock: { now },
    timers: systemTimers,
    logger: logbook,
    retryPause: 1,
    ...options,
  });
}

/** The stand-in with its scene, and a provider that is connected to it. */
export async function start(
  options: Options = {},
  scene: GithubStandInOptions = {},
): Promise<{ stand: GithubStandIn; provider: Provider }> {
  github = await startScene({ now: () => clock.now(), ...scene });
  return { stand: github, provider: connect(github.url, github.token, options) };
}

/** A provider that is connected to `listener`, for answers that no GitHub gives. */
export async function serve(listener: RequestListener, options: Options = {}): Promise<Provider> {
  const raw = createServer(listener);
  server = raw;
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  return connect(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`, 'secret-token', options);
}

/** The failure in which a call must end. */
export async function failureOf(call: Promise<unknown>): Promise<ProviderFailure> {
  const outcome = await call.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ProviderFailure);
  return outcome as ProviderFailure;
}

/** After each test: everything that was sent was as GitHub's description wants it; all servers end. */
export async function endScene(): Promise<void> {
  const violations = github?.violations() ?? [];
  await github?.close();
  server?.closeAllConnections();
  server?.close();
  github = undefined;
  server = undefined;
  clock = createHandClock(START);
  expect(violations).toEqual([]);
}
