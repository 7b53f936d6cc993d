import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../server/src/core/failure.ts';
import { composeEncoded } from '../server/src/reports/threads/compose-encoded.ts';
import { openStore } from '../server/src/storage/open/open-store.ts';
import type { Store } from '../server/src/storage/store.ts';
import { bringHistory } from '../server/src/storage/transfer/bring-history.ts';
import { checkHistory } from '../server/src/storage/transfer/check-history.ts';
import { openFolder } from '../server/src/storage/transfer/read-folder.ts';
import { newRepo } from './contract/records.ts';
import { writeScene } from './support/history/write-scene.ts';
import { numRuns } from './support/property-runs.ts';

/** A folder that claims to be a history holds anything: it is brought whole, or refused before any of it is in. */

let place = '';
let store: Store;
let copies = 0;
let repos = 0;
/** For all inputs, beside other work; in ms. */
const LONG = 300_000;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hostile-histories-'));
  store = await openStore({ url: `sqlite:${place}/coverage.db` });
  const older = Array.from({ length: 4 }, (_, at) => ({ name: `older ${at}`, days: 3 + at, shown: 70 + at }));
  const remarks = { leftOut: [{ why: 'pending', commits: 2 }], requests: 3, notes: ['A note.'] };
  writeScene(
    join(place, 'history'),
    'manual/acme/past',
    [{ name: 'newest', days: 1, shown: 76.51, partialLines: 1, hits: [1, 1, 0], flag: 'unit' }, ...older],
    Date.UTC(2026, 10, 20),
    remarks,
  );
});
afterAll(async () => {
  await store.close();
  await rm(place, { recursive: true });
});

const FILES = ['manifest.json', 'builds.jsonl', 'reports/job-1.jsonl.gz', 'SHA256SUMS'] as const;
const [MANIFEST, BUILDS, REPORT, SUMS] = FILES;

/** What a value is replaced by; `undefined` takes it out. */
const hostile = fc.oneof(
  fc.constantFrom(undefined, null, true, '', -1, 0.5, 2 ** 53, 1e300, [], {}, '../../x', '__proto__', '<b>', '\u0000'),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constant('x'.repeat(100_000)),
  fc.array(fc.integer(), { maxLength: 5 }),
);

/** Replaces the value at the end of a way into JSON. */
function replaceAt(json: unknown, way: readonly number[], value: unknown): unknown {
  const [step = 0, ...rest] = way;
  if (typeof json !== 'object' || json === null) return value;
  const keys = Object.keys(json);
  const key = keys[step % (keys.length + 1)] ?? 'unknown';
  const inner = (json as Record<string, unknown>)[key];
  const next = rest.length === 0 ? value : replaceAt(inner, rest, value);
  return Array.isArray(json) ? json.map((one, at) => (String(at) === key ? next : one)) : { ...json, [key]: next };
}

async function copyHistory(): Promise<string> {
  copies += 1;
  const folder = join(place, `copy-${copies}`);
  await cp(join(place, 'history'), folder, { recursive: true });
  return folder;
}

/** Digests that are right for what is there, as somebody who means harm writes them. */
async function sign(folder: string): Promise<void> {
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const lines = [REPORT, BUILDS].map(async (path) => `${digest(await readFile(join(folder, path)))}  ${path}\n`);
  const sums = (await Promise.all(lines)).join('');
  await writeFile(join(folder, SUMS), sums);
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  const signed =
    typeof manifest === 'object' && manifest !== null ? { ...manifest, sha256: digest(Buffer.from(sums)) } : manifest;
  await writeFile(join(folder, MANIFEST), JSON.stringify(signed));
}

/** Changes one line of a file of JSON. */
async function change(folder: string, path: (typeof FILES)[number], to: (lines: string[]) => readonly string[]) {
  const bytes = await readFile(join(folder, path));
  const text = (path === REPORT ? gunzipSync(bytes) : bytes).toString();
  const lines = path === MANIFEST ? [JSON.stringify(JSON.parse(text))] : text.trimEnd().split('\n');
  const changed = to(lines)
    .map((line) => `${line}\n`)
    .join('');
  await writeFile(join(folder, path), path === REPORT ? gzipSync(changed) : changed);
}

/** How many builds came of it; undefined: it was refused, by a sentence. */
async function bring(folder: string): Promise<number | undefined> {
  repos += 1;
  const name = `acme/past-${repos}`;
  const repo = await store.repos.create(newRepo({ service: 'manual', name }));
  if (repo === undefined) throw new Error('the name is taken');
  const builds = async () => (await store.transfers.buildsAfter({ repoId: repo.id, sequence: -1e9, limit: 99 })).length;
  const deps: Parameters<typeof bringHistory>[0] = {
    store,
    compose: async (jobs) => composeEncoded({ jobs, carried: [], base: undefined }),
    revisit: async () => undefined,
  };
  try {
    const read = await openFolder(folder);
    const checked = await checkHistory(read).catch(async (error: unknown) => {
      expect(await builds()).toBe(0);
      throw error;
    });
    // What was checked is brought, whatever it says.
    const brought = {
      repo,
      folder: read,
      checked,
      by: { by: { kind: 'command-line' } },
      now: Date.UTC(2027, 0, 1),
    } as const;
    for await (const _ of bringHistory(deps, brought));
    expect(await builds()).toBe(checked.builds);
    return checked.builds;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(['payload-invalid', 'payload-too-large', 'not-found']).toContain(error.code);
    expect(error.message.length).toBeLessThan(1_000);
    return undefined;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a hostile history', () => {
  test('as it was written, is brought', async () => {
    expect(await bring(await copyHistory())).toBe(5);
  });

  test(
    'whose values are others, with digests that are right, is brought whole or refused',
    async () => {
      const way = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 3 });
      const where = fc.constantFrom(MANIFEST, BUILDS, REPORT);
      const outcomes = new Set<boolean>();
      await fc.assert(
        fc.asyncProperty(where, fc.nat({ max: 9 }), way, hostile, async (path, at, steps, value) => {
          const folder = await copyHistory();
          await change(folder, path, (lines) => {
            const line = at % lines.length;
            return lines.with(line, JSON.stringify(replaceAt(JSON.parse(lines[line] ?? ''), steps, value)) ?? 'null');
          });
          await sign(folder);
          outcomes.add((await bring(folder)) !== undefined);
        }),
        // A time between two milliseconds was refused only by the column of SQLite.
        { numRuns: numRuns(300), examples: [[BUILDS, 4, [2], 0.5]] },
      );
      expect(outcomes).toEqual(new Set([true, false]));
    },
    LONG,
  );

  test('whose lines are repeated, left out, or in another order, is refused', async () => {
    const shuffled: readonly ((lines: string[]) => readonly string[])[] = [
      (lines) => lines.toReversed(),
      (lines) => [...lines, ...lines],
      (lines) => lines.slice(1),
      (lines) => lines.slice(0, -1),
      () => ['[]'],
      () => ['{"commit":'],
    ];
    for (const to of shuffled) {
      const folder = await copyHistory();
      await change(folder, BUILDS, to);
      await sign(folder);
      expect(await bring(folder)).toBeUndefined();
    }
  });

  test(
    'with a byte that is another is refused, or is the same to a reader',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...FILES),
          fc.nat(),
          fc.integer({ min: 1, max: 255 }),
          async (path, at, by) => {
            const folder = await copyHistory();
            const bytes = await readFile(join(folder, path));
            const place = at % bytes.length;
            bytes[place] = (bytes[place] as number) ^ by;
            await writeFile(join(folder, path), bytes);
            const brought = await bring(folder);
            // No digest is of the manifest itself.
            if (path !== MANIFEST) expect(brought).toBeUndefined();
          },
        ),
        { numRuns: numRuns(200) },
      );
    },
    LONG,
  );
});
