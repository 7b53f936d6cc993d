import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newPerson, signedIn } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

const [, startedBy = ''] = process.argv;
let service: Service;
beforeAll(async () => {
  service = await startService();
  await newPerson(service, 'administrator', true);
});
afterEach(() => {
  process.argv[1] = startedBy;
});
afterAll(() => service.stop());

/** Every sentence of the server that names a command to somebody who sees no terminal of it. */
async function readSentences(): Promise<string> {
  const browser = await signedIn(service, 'administrator');
  const read = async (path: string, init?: RequestInit): Promise<string> =>
    (await fetch(service.url + path, init)).text();
  const headers = { authorization: `token ${service.adminToken}` };
  const sentences = [
    await read('/sign-in'),
    (await browser.get('/admin/users')).text,
    await read('/api/v1/repos/github/acme/shop', { method: 'PUT', body: '{}' }),
    await read('/readyz?verbose', { headers }),
  ];
  return sentences.join('\n');
}

test.each([
  ['/srv/coverage/server/dist/main.js', ['npm run user -- create', 'npm run token -- create', 'npm run doctor']],
  [
    '/opt/coverage-service/lib/server/dist/coverage-service.js',
    ['coverage-service user create', 'coverage-service token create', 'coverage-service doctor'],
  ],
])('a server that %s runs names its commands so', async (program, commands) => {
  process.argv[1] = program;
  const sentences = await readSentences();
  const named = [...sentences.matchAll(/(?:npm run|coverage-service) (?:doctor|[a-z-]+(?: --)? create)/g)];
  expect([...new Set(named.map(([name]) => name))]).toEqual(commands);
});
