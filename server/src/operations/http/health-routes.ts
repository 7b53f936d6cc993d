import type Router from '@koa/router';
import { Failure } from '../../core/failure.ts';
import type { Caller } from '../../core/repo/caller.ts';
import type { Services } from '../../services/services.ts';
import { isDoctor } from '../doctor-proof.ts';
import type { Examination } from '../examine-server.ts';
import { presentExamination } from './examination-json.ts';

/** How the server finds out about itself. */
export interface HealthChecks {
  /** Answers when the store is reachable and writable; else throws a Failure. */
  readonly checkStore: () => Promise<void>;
  readonly examineServer: () => Promise<Examination>;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
}

/** What the command `doctor` proves itself by. */
export const DOCTOR_HEADER = 'x-coverage-doctor';

const REMEMBERED = 1_000;

/** The check is a durable write that any caller can ask for, so it is made once a second at most. */
function onceASecond(check: () => Promise<void>, now: () => number): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= REMEMBERED) last = { at: now(), outcome: check() };
    return last.outcome;
  };
}

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: it can do its work, so send it requests; `?verbose` tells
 * administrators what it finds about itself, whatever that is with 200.
 */
export function registerHealthRoutes(
  router: Router,
  services: Pick<Services, 'secrets' | 'clock' | 'isStopping' | 'identifyCaller' | 'baseUrl'>,
  checks: HealthChecks,
): void {
  const { secrets, clock, isStopping, identifyCaller, baseUrl } = services;
  const checkStore = onceASecond(checks.checkStore, checks.now);

  router.get('/healthz', (context) => {
    context.set('Cache-Control', 'no-store');
    context.body =
      'identity' in context.query ? { status: 'ok', identity: secrets.serverIdentity() } : { status: 'ok' };
  });

  router.get('/readyz', async (context) => {
    context.set('Cache-Control', 'no-store');
    if (isStopping()) throw new Failure('unavailable', 'The server is stopping.');
    if ('verbose' in context.query) {
      // The command `doctor` has the key of this server.
      if (!isDoctor(context.get(DOCTOR_HEADER), secrets, clock.now())) refuseOthers(await identifyCaller(context));
      context.body = presentExamination(await checks.examineServer(), baseUrl());
      return;
    }
    await checkStore();
    context.body = { status: 'ok' };
  });
}

/** It tells of all repos together, and of the machine. */
function refuseOthers(caller: Caller): void {
  if (caller.kind !== 'user' || caller.role !== 'administrator')
    throw new Failure('forbidden', 'Only administrators of this server can see what it found about itself.');
}
