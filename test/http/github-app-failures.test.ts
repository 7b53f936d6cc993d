import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createGithubAppProvider } from '../../server/src/hosts/github/app-provider.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import {
  APP,
  endAppScene,
  isLookUp,
  isStatus,
  isTokenRequest,
  lab,
  logbook,
  privateKey,
  shop,
  startAppScene,
  statusOf,
  WRITES,
} from '../support/github-app-scene.ts';
import { failureOf } from '../support/github-provider-scene.ts';
import { head } from '../support/github-scene.ts';
import type { Fault } from '../support/github-stand-in/faults.ts';
import { createMovedTime } from '../support/moved-time.ts';
import { waitFor } from '../support/wait-for.ts';

afterEach(endAppScene);

const STEPS = [
  ['the look-up', isLookUp],
  ['the token', isTokenRequest],
] as const;

const FAULTS: readonly (readonly [string, Fault, string])[] = [
  ['500', { kind: 'status', status: 500 }, 'transient'],
  ['502', { kind: 'status', status: 502 }, 'transient'],
  ['504 though it was done', { kind: 'status', status: 504, takesEffect: true }, 'transient'],
  ['a cut connection', { kind: 'drop', takesEffect: true }, 'transient'],
  ['no answer', { kind: 'hang', takesEffect: true }, 'transient'],
  ['a secondary limit', { kind: 'secondary-limit', retryAfterSeconds: 30 }, 'limited'],
  ['a secondary limit without a time', { kind: 'secondary-limit', status: 429 }, 'limited'],
  ['a spent budget', { kind: 'primary-limit', resetAt: Math.ceil(Date.now() / 1_000) + 90 }, 'limited'],
];

describe.each(STEPS)('trouble with %s', (_, isStep) => {
  test.each(FAULTS)('%s: nothing was announced, so nothing is uncertain', async (_name, fault, kind) => {
    const { stand, connect } = await startAppScene();
    const { provider } = connect({ callTimeLimit: fault.kind === 'hang' ? 400 : 10_000 });
    stand.faults.when((request) => (isStep(request) ? fault : undefined));
    for (const [, write] of WRITES) expect(await failureOf(write(provider))).toMatchObject({ kind });
    expect(stand.requests().filter(isStatus)).toEqual([]);
    stand.faults.clear();
  });

  test('that passes is over', async () => {
    const { stand, provider } = await startAppScene();
    stand.faults.when((request) => (isStep(request) ? { kind: 'status', status: 502 } : undefined));
    await failureOf(provider.setStatus(statusOf(shop)));
    stand.faults.clear();
    await provider.setStatus(statusOf(shop));
    expect(stand.statuses(shop, head)).toHaveLength(1);
  });
});

test('a request for a token is sent once, and its limit is waited out for all owners', async () => {
  const { stand, provider, count } = await startAppScene();
  stand.faults.when((request) =>
    isTokenRequest(request) ? { kind: 'secondary-limit', retryAfterSeconds: 30 } : undefined,
  );
  expect(await failureOf(provider.setStatus(statusOf(shop)))).toMatchObject({ kind: 'limited' });
  const before = stand.requests().length;
  expect(await failureOf(provider.setStatus(statusOf(lab)))).toMatchObject({ kind: 'limited' });
  expect(count(isTokenRequest)).toBe(1);
  expect(stand.requests()).toHaveLength(before);
  expect(stand.requests().filter(isStatus)).toEqual([]);
});

test.each([
  ['the look-up', isLookUp, 'transient'],
  ['the token', isTokenRequest, 'transient'],
  ['the status', isStatus, 'uncertain'],
] as const)('a call is over when its time is: %s hangs', async (_, isStep, kind) => {
  const { stand, connect } = await startAppScene();
  const time = createMovedTime();
  const { provider } = connect({ callTimeLimit: 10_000, ...time });
  stand.faults.when((request) => (isStep(request) ? { kind: 'hang' } : undefined));
  const failure = failureOf(provider.setStatus(statusOf(shop)));
  await waitFor(() => stand.requests().some(({ hangs }) => hangs), { what: 'the step that hangs' });
  await time.pass(10_000);
  expect(await failure).toMatchObject({ kind });
  expect(stand.requests().filter(({ fault }) => fault === 'hang')).toHaveLength(1);
});

test('a call whose steps are all slow has one time limit, not one for each', async () => {
  const { stand, connect } = await startAppScene();
  const time = createMovedTime();
  const { provider } = connect({ callTimeLimit: 10_000, ...time });
  stand.faults.when(() => {
    void time.pass(4_000);
    return { kind: 'slow', delayMs: 50 };
  });
  await failureOf(provider.setStatus(statusOf(shop)));
  // Two steps were answered within the time, the third was not.
  expect(stand.requests()).toHaveLength(3);
});

test('a token request that its caller gave up on does not delay later callers', async () => {
  const { stand, connect } = await startAppScene();
  const { provider } = connect({ callTimeLimit: 400 });
  stand.faults.next(1, { kind: 'hang' }, isTokenRequest);
  expect(await failureOf(provider.setStatus(statusOf(shop)))).toMatchObject({ kind: 'transient' });
  await provider.setStatus(statusOf(shop));
  expect(stand.statuses(shop, head)).toHaveLength(1);
});

test('neither key nor JWT nor token is in a failure or a log line, whatever GitHub says', async () => {
  const seen: string[] = [];
  const token = 'ghs_0123456789abcdefABCDEF0123456789abcd';
  let isGranting = false;
  const server = createServer((request, response) => {
    const [, credential = ''] = (request.headers.authorization ?? '').split(' ');
    seen.push(credential);
    request.resume();
    const isApp = request.url?.startsWith('/app/') ?? false;
    const isInstallation = request.url?.endsWith('/installation') ?? false;
    const status = isGranting && (isApp || isInstallation) ? (isApp ? 201 : 200) : 400;
    const answer =
      status < 300 ? { id: 5, suspended_at: null, token } : { message: `Bad ${credential}`, errors: [credential] };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = { now: Date.now };
  const { provider } = createGithubAppProvider({
    fetch,
    apiUrl,
    app: { id: APP, privateKey },
    clock,
    timers: systemTimers,
    logger: logbook,
    retryPause: 1,
  });
  const failures = [await failureOf(provider.setStatus(statusOf('acme/other')))];
  isGranting = true;
  failures.push(
    await failureOf(provider.setStatus(statusOf(shop))),
    await failureOf(provider.describeRepo({ repo: shop })),
  );
  server.close();
  const said = failures.map(({ message, cause, stack }) => `${message} ${String(cause)} ${stack}`).join('\n');
  expect(seen).toContain(token);
  expect(seen[0]).toMatch(/^eyJ/);
  for (const { message } of failures) expect(message).toContain('Bad [token]');
  expect(logbook.lines.length).toBeGreaterThan(20);
  const secrets = [...seen, ...privateKey.split('\n').filter((line) => line.length > 40)];
  for (const secret of secrets) expect(`${said}\n${logbook.text()}`).not.toContain(secret);
  // Nor a part of one.
  expect(`${said}\n${logbook.text()}`).not.toMatch(/ghs_|eyJ/);
});
