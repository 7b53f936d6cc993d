import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOpenTokenView } from '../../server/src/hosts/github/token-view.ts';
import { systemTimers } from '../../server/src/platform/timers/system-timers.ts';
import type { TokenView } from '../../server/src/ports/provider.ts';
import { failureOf } from '../support/github-provider-scene.ts';
import { createLogbook } from '../support/logbook.ts';
import { createMovedTime, type MovedTime } from '../support/moved-time.ts';

const TOKEN = 'ghs_token-of-this-file';
const log = createLogbook();
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  expect(log.text()).not.toContain(TOKEN);
});

type Time = Pick<MovedTime, 'clock' | 'timers'>;
const MACHINE: Time = { clock: { now: Date.now }, timers: systemTimers };

/** A view of something that answers as no GitHub does. */
async function view(listener: RequestListener, time: Time = MACHINE, timeLimit = 5_000): Promise<TokenView> {
  const raw = createServer(listener);
  server = raw;
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`;
  return createOpenTokenView({ apiUrl, fetch, ...time, logger: log })({
    token: TOKEN,
    timeLimit,
  });
}

const answering =
  (value: unknown): RequestListener =>
  (_, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

test.each<[string, unknown]>([
  ['a text', 'hello'],
  ['nothing', {}],
  ['a list', []],
  ['half a repo', { id: 7, permissions: { push: true } }],
  ['a run without a head', { id: 7, repository: { id: 1 }, head_repository: { id: 1 } }],
  ['a run of no repo', { id: 7, head_sha: 'a'.repeat(40), head_repository: { id: 1 } }],
])('an answer that is not GitHub’s is nobody’s word: %s', async (_, value) => {
  const odd = await view(answering(value));
  for (const call of [
    odd.readRepo({ repo: 'acme/shop' }),
    odd.findInstalled({ repo: 'acme/shop' }),
    odd.readRun({ repo: 'acme/shop', run: '7' }),
  ]) {
    expect(await failureOf(call)).toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('Something other than GitHub answered'),
    });
  }
});

test('only what is stated as allowed is allowed', async () => {
  for (const permissions of [undefined, null, { push: 'true' }, { push: 1 }, { admin: true }]) {
    const odd = await view(answering({ id: 7, full_name: 'acme/shop', permissions }));
    expect(await odd.readRepo({ repo: 'acme/shop' })).toEqual({ id: '7', name: 'acme/shop', mayPush: false });
  }
});

test('a list that never ends is not read forever', async () => {
  let pages = 0;
  const repositories = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, full_name: `acme/repo-${i}` }));
  const endless = await view((request, response) => {
    pages += 1;
    answering({ total_count: 5_000, repositories })(request, response);
  });
  expect(await endless.findInstalled({ repo: 'acme/shop' })).toEqual({ repo: undefined, covered: 5_000 });
  expect(pages).toBe(10);
});

test('all questions share one time limit', async () => {
  const time = createMovedTime();
  const listener: RequestListener = (request, response) => {
    void time.pass(3_000);
    setTimeout(() => answering({})(request, response), 50);
  };
  const slow = await view(listener, time);
  const failures = [
    await failureOf(slow.readRepo({ repo: 'acme/shop' })),
    await failureOf(slow.readRepo({ repo: 'acme/shop' })),
  ];
  expect(failures[0]?.message).not.toContain('within');
  expect(failures[1]).toMatchObject({ kind: 'transient', message: expect.stringMatching(/within [01]\.?\d* s/) });
});

test('a failure does not repeat the token, even when the answer does', async () => {
  const echo = await view((_, response) => {
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: `${TOKEN} is no good` }));
  });
  const failure = await failureOf(echo.readRun({ repo: 'acme/shop', run: '7' }));
  expect([failure.kind, failure.status]).toEqual(['permanent', 400]);
  expect(`${failure.message} ${failure.stack} ${String(failure.cause)}`).not.toContain(TOKEN);
});
