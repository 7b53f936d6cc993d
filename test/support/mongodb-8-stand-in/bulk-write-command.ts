import { type Document, Long } from 'mongodb';

/** One write of a `bulkWrite`, in its place; behind them all, the answer. */
export interface Operation {
  readonly index: number;
  readonly kind: 'insert' | 'update' | 'answer';
}

/** An error of the whole command. */
export interface Refusal {
  readonly code: number;
  readonly codeName: string;
}

interface Means {
  /** Sends a command to the server. */
  readonly ask: (command: Document) => Promise<Document>;
  readonly refusal: Refusal | undefined;
  readonly before: (operation: Operation) => 'cut' | 'go';
}

/** Parts of the command that the server checks besides the writes. */
const KNOWN = ['bulkWrite', 'errorsOnly', 'ordered', 'bypassDocumentValidation', 'ops', 'nsInfo'];
const GENERIC = ['$db', 'lsid', 'writeConcern', '$clusterTime', 'txnNumber', 'comment'];

/**
 * Does what the documentation says of `bulkWrite` on admin with `ordered: true` and `errorsOnly: false`: each write by
 * itself, in order, up to the first error, which is an entry of the answer; the write concern is waited for once, at
 * the end. `cut`: the connection is lost meanwhile.
 */
export async function carryOut(command: Document, { ask, refusal, before }: Means): Promise<Document | 'cut'> {
  if (refusal !== undefined) return { ok: 0, errmsg: `no such command: 'bulkWrite'`, ...refusal };
  const misuse = findMisuse(command);
  if (misuse !== undefined) return { ok: 0, errmsg: misuse, code: 72, codeName: 'InvalidOptions' };
  const operations = command.ops as readonly Document[];
  const results: Document[] = [];
  for (const [index, operation] of operations.entries()) {
    const kind = operation.insert === undefined ? 'update' : 'insert';
    if (before({ index, kind }) === 'cut') return 'cut';
    const isLast = index === operations.length - 1;
    const reply = await ask({
      ...toCommand(operation, command.nsInfo[Number(operation[kind])].ns),
      lsid: command.lsid,
      // What follows in the journal waits for what came before.
      writeConcern: isLast ? command.writeConcern : { w: 1 },
    });
    if (reply.ok !== 1) return reply;
    const [error] = (reply.writeErrors ?? []) as readonly Document[];
    if (error !== undefined) {
      results.push({ ok: 0, idx: index, code: error.code, errmsg: error.errmsg, n: 0 });
      break;
    }
    const isUpdate = kind === 'update';
    results.push({ ok: 1, idx: index, n: reply.n, ...(isUpdate && { nModified: reply.nModified }) });
  }
  return before({ index: operations.length, kind: 'answer' }) === 'cut' ? 'cut' : summarize(operations, results);
}

function toCommand({ insert, document, filter, updateMods, multi, hint }: Document, namespace: string): Document {
  const [$db = '', ...name] = namespace.split('.');
  const collection = name.join('.');
  return insert === undefined
    ? { update: collection, updates: [{ q: filter, u: updateMods, multi, ...(hint && { hint }) }], $db }
    : { insert: collection, documents: [document], $db };
}

/** What the store's use of the command keeps to. */
function findMisuse(command: Document): string | undefined {
  const other = Object.keys(command).find((key) => ![...KNOWN, ...GENERIC].includes(key));
  if (other !== undefined) return `BSON field 'bulkWrite.${other}' is an unknown field.`;
  if (command.$db !== 'admin') return 'bulkWrite may only be run against the admin database.';
  if (command.ordered !== true || command.errorsOnly !== false) return 'the stand-in knows only ordered, with results';
  return undefined;
}

function summarize(operations: readonly Document[], results: readonly Document[]): Document {
  const done = results.filter(({ ok }) => ok === 1);
  const sum = (field: string, isInsert: boolean): number =>
    done
      .filter(({ idx }) => (operations[idx]?.insert !== undefined) === isInsert)
      .reduce((total, one) => total + (one[field] ?? 0), 0);
  return {
    cursor: { id: Long.ZERO, firstBatch: results, ns: 'admin.$cmd.bulkWrite' },
    nErrors: results.length - done.length,
    nInserted: sum('n', true),
    nMatched: sum('n', false),
    nModified: sum('nModified', false),
    nUpserted: 0,
    nDeleted: 0,
    ok: 1,
  };
}
