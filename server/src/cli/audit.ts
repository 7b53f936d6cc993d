import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { ServerConfig } from '../config/environment-file.ts';
import { counted } from '../core/sentences.ts';
import { readAuditFilter } from '../operations/audit-filter.ts';
import { presentAuditEntry } from '../operations/http/audit-json.ts';
import { readAudit } from '../operations/read-audit.ts';
import type { AuditPart } from '../storage/audit-log.ts';
import { locateStore } from '../storage/copy/location.ts';
import { openStore } from '../storage/open/open-store.ts';
import { runServerCommand, UsageError } from './command/command-line.ts';
import { notUnderstood } from './sentences.ts';

/** Entries that are read at a time. */
const AT_ONCE = 100;

await runServerCommand(
  `Usage:
  npm run audit -- export [--since <time>] [--until <time>] [--repo <service>/<owner>/<name>]

Writes the audit log of the database in DATABASE_URL to standard output: one JSON object per line, oldest first.
Write times as 2026-11-22 or 2026-11-22T14:30:00Z.`,
  (args) => {
    const { positionals, values } = readArguments(args);
    const { help, ...search } = values;
    if (help || positionals[0] === 'help') return undefined;
    if (positionals.join(' ') === 'export') {
      const part = { ...readAuditFilter(search), newestFirst: false };
      return (config) => exportLog(config, part);
    }
    throw new UsageError(positionals.length === 0 ? 'Say what to do: export.' : notUnderstood(positionals.join(' ')));
  },
);

function readArguments(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = { since: text, until: text, repo: text, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function exportLog(config: ServerConfig, part: Omit<AuditPart, 'limit'>): Promise<number> {
  const { databaseUrl: url } = config;
  const { name } = locateStore('DATABASE_URL', url);
  const store = await openStore({ url, mustExist: true });
  try {
    console.error(`The audit log of ${name}`);
    let count = 0;
    for (let beyond: number | undefined, isMore = true; isMore; ) {
      const { entries, people, next } = await readAudit(store, { ...part, beyond, limit: AT_ONCE });
      const lines = entries.map((entry) => `${JSON.stringify(presentAuditEntry(entry, people))}\n`);
      if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain');
      count += entries.length;
      beyond = next;
      isMore = next !== undefined;
    }
    console.error(`${counted(count, 'entry', 'entries')} written.`);
  } finally {
    await store.close();
  }
  return 0;
}
