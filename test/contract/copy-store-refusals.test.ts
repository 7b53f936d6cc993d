import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { ArchiveWriter } from '../../server/src/storage/archive.ts';
import type { StoreCopy } from '../../server/src/storage/copy/copy-store.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { ask, copy, copyFiles, isEqual, putStore } from './copying.ts';
import { T0 } from './records.ts';

const files = copyFiles();
const refusal = (message: RegExp) =>
  expect.objectContaining({ name: 'Failure', message: expect.stringMatching(message) });

describe('a copy of an SQLite file', () => {
  it('is refused while another process has it open, an idle one too, and holds others off', async () => {
    const from = await putStore(files.next());
    const store = await openStore({ url: from });
    await expect(copy({ from, to: files.next() })).rejects.toEqual(
      refusal(/is open in another process: stop the server/),
    );
    await store.close();
    const to = files.next();
    const intruder = async (): Promise<void> => {
      await expect(openStore({ url: from, busyTimeout: 50 })).rejects.toEqual(refusal(/locked by another program/));
      await expect(openStore({ url: to, busyTimeout: 50 })).rejects.toEqual(refusal(/locked by another program/));
    };
    expect(isEqual(await copy({ from, to }, (plain) => whenWriting('job', plain, intruder)))).toBe(true);
  }, 20_000);

  it('is refused when it is not there, and makes no target for it', async () => {
    const [from, to] = [files.next(), files.next()];
    await expect(copy({ from, to })).rejects.toEqual(refusal(/There is no file .* to copy/));
    await expect(copy({ from: to, to: from })).rejects.toEqual(refusal(/There is no file/));
  });

  it('is refused into the same file, whatever leads to it', async () => {
    const from = await putStore(files.next());
    const roundabout = from.replace(/\/([^/]+)$/, '/./$1');
    await expect(copy({ from, to: roundabout })).rejects.toEqual(refusal(/--from and --to are the same store/));
  });

  it('is refused into one that holds something, which it says', async () => {
    const [from, to] = [await putStore(files.next()), await putStore(files.next())];
    const held = String.raw`repos \(1\), builds \(1\), jobs \(1\), sources \(1\), counters \(4\)`;
    const sentence = new RegExp(String.raw`is not empty: it holds ${held}\. Nothing was written`);
    await expect(copy({ from, to })).rejects.toEqual(refusal(sentence));
    const checked = files.next();
    await ask(checked, T0, (store) => store.check());
    expect(isEqual(await copy({ from, to: checked }))).toBe(true);
  });

  it('is refused into one that holds an unfinished copy of another', async () => {
    const [from, other, to] = [await putStore(files.next()), await putStore(files.next()), files.next()];
    await expect(copy({ from, to }, (plain) => whenWriting('job', plain, cutOff))).rejects.toThrow('cut off');
    await expect(copy({ from: other, to })).rejects.toEqual(
      refusal(/holds an unfinished copy of sqlite:.*, not of sqlite:/),
    );
    await expect(copy({ from: to, to: files.next() })).rejects.toEqual(refusal(/a copy into .* is not finished/));
    expect(isEqual(await copy({ from, to }))).toBe(true);
  });

  it.each([
    ['sqlite::memory:', 'sqlite:x.db', /^--from is sqlite::memory:/],
    ['sqlite:', 'sqlite:x.db', /^--from names no file/],
    ['postgres://me:hush@db/x', 'sqlite:x.db', /^--from has the scheme "postgres:"/],
    ['sqlite:x.db', 'mongodb://me:hush@db', /^--to names no MongoDB database/],
    ['sqlite:x.db', 'mongodb://me:hu@sh/x@db/coverage', /^--to names no MongoDB database/],
  ] as const)('from %s to %s is refused without a password', async (from, to, message) => {
    await expect(copy({ from, to })).rejects.toEqual(refusal(message));
    await expect(copy({ from, to })).rejects.not.toEqual(refusal(/hu|sh\b/));
  });

  it('holds every table that there is', async () => {
    const db = new DatabaseSync((await putStore(files.next())).slice('sqlite:'.length));
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    db.close();
    // A new table belongs into the archive of each adapter, then here. For repo_usage, unverified_usage,
    // refused_uploads, repo_token_uses, source_ages and source_looks a copy begins at 0, and without merged_reports,
    // provider_sources, sessions, used_id_tokens, history_imports, history_parts and webhooks.
    expect(tables.map(({ name }) => name)).toEqual(
      [
        'accounts',
        'audit',
        'build_commits',
        'build_details',
        'build_flags',
        'build_reports',
        'build_summaries',
        'build_wants',
        'builds',
        'counters',
        'deliveries',
        'facts',
        'flag_results',
        'flip_ledgers',
        'host_apps',
        'job_reports',
        'jobs',
        'log_mark',
        'members',
        'merged_reports',
      ]
        .concat([
          'personal_tokens',
          'provider_sources',
          'refused_uploads',
          'repo_token_uses',
          'repo_tokens',
          'repo_usage',
          'unverified_usage',
          'repos',
        ])
        .concat(['history_imports', 'history_parts'])
        .concat(['sessions', 'share_links', 'source_ages', 'source_looks', 'sources', 'used_id_tokens', 'webhooks'])
        .sort(),
    );
  });
});

const cutOff = async (): Promise<void> => {
  throw new Error('cut off');
};

/** Something happens right before the entries of a kind are written. */
function whenWriting(kind: string, plain: StoreCopy, event: () => Promise<void>): StoreCopy {
  const write: ArchiveWriter['write'] = async (batch) => {
    if (batch.kind === kind) await event();
    return plain.to.write(batch);
  };
  return { ...plain, to: { ...plain.to, write } };
}
