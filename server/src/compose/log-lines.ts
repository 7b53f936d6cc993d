import type { Examination } from '../operations/examine-server.ts';
import type { Logger } from '../platform/logger.ts';
import { asStarted } from '../platform/sentences.ts';
import type { OnAudit } from '../storage/audit-log.ts';

/** Each entry of the audit log is a line too: who changed what, in the words of that log. */
export function logAudit(logger: Logger): OnAudit {
  return ({ action, at: _, repo, ...entry }) => {
    const of = repo && { repo: repo.name, repoId: repo.id };
    logger.info({ action, ...of, ...entry }, 'entered in the audit log');
  };
}

const LEVELS = { ok: 'info', skipped: 'debug', warning: 'warn', failed: 'error' } as const;

const OWN_FAULTS = /^(database|disk|secret-key)$|-sign-in$/;

/** What a server finds about itself at its start, in a line for each check. */
export function logExamination(logger: Logger, { checks }: Examination): void {
  for (const { name, state, seen, remedy } of checks) {
    // Logged before anything was opened.
    if (name === 'settings') continue;
    const toDo = remedy === undefined ? '' : ` ${REMEDY} ${remedy}`;
    // What lies beyond this server may only be late: a proxy in front of it, a git host in trouble.
    const isLate = state === 'failed' && !OWN_FAULTS.test(name);
    logger[isLate ? 'warn' : LEVELS[state]]({ check: name }, asStarted(`${name}: ${seen}${toDo}`));
  }
}

/** The words before what is to be done. */
export const REMEDY = 'to do:';
