import type { Message } from '../../server/src/core/announce/delivery.ts';
import { Failure } from '../../server/src/core/failure.ts';
import type { StoredSource } from '../../server/src/reports/report-bytes.ts';
import { openStore } from '../../server/src/storage/open/open-store.ts';
import { aLedger, closeWith } from './flip-ledger-contract.ts';
import { accept, close, putRepo, SHA, say, status, upload } from './records.ts';

/**
 * What sqlite-faults.test.ts has done by a process of its own, since it does not outlive it:
 * `node crash-stories.ts <story> <database file>`.
 */
const [story = '', path = ''] = process.argv.slice(2);
const store = await openStore({ url: `sqlite:${path}` });
const repo = await putRepo(store);

/** Read by the transaction after it wrote the build, the job and the report. */
class DeadlySources extends Array<StoredSource> {
  override [Symbol.iterator](): ArrayIterator<StoredSource> {
    process.kill(process.pid, 'SIGKILL');
    return super[Symbol.iterator]();
  }
}

async function dieInAccept(): Promise<void> {
  await accept(store, repo.id);
  console.log('accepted');
  await store.jobs.accept(
    upload(repo.id, { parallel: false }, { sources: new DeadlySources(), report: new Uint8Array(5_000_000) }),
  );
}

/** Read by the transaction after it wrote the build, the report and the ledger. */
class DeadlyMessages extends Array<Message> {
  override [Symbol.iterator](): ArrayIterator<Message> {
    process.kill(process.pid, 'SIGKILL');
    return super[Symbol.iterator]();
  }
}

async function dieInClose(): Promise<void> {
  await closeWith(store, repo.id);
  const { build } = await accept(store, repo.id, { parallel: false });
  console.log('accepted');
  const ledger = { branch: 'main', ledger: aLedger(3), after: 2, defaultBranches: [] };
  await close(store, build, { ledger, messages: new DeadlyMessages() });
}

async function dieAfter(): Promise<void> {
  const { build } = await accept(store, repo.id, { parallel: false });
  await close(store, build, { messages: [say(status('success'))], target: SHA });
  console.log('closed');
  process.kill(process.pid, 'SIGKILL');
}

/** Accepts jobs until one is refused. */
async function fill(): Promise<void> {
  for (let accepted = 0; accepted < 100; accepted += 1) {
    try {
      await accept(store, repo.id, {}, { report: new Uint8Array(100_000).fill(accepted) });
    } catch (error) {
      console.log(`${accepted} accepted, then ${error instanceof Failure ? error.code : error}`);
      return;
    }
  }
}

if (story === 'die-in-accept') await dieInAccept();
else if (story === 'die-in-close') await dieInClose();
else if (story === 'die-after') await dieAfter();
else if (story === 'fill') await fill();
