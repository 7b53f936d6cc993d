import type Router from '@koa/router';
import type { IdentifyCaller } from '../../access/browser/authenticate.ts';
import { Failure } from '../../core/failure.ts';
import type { ShowExamination } from '../show-examination.ts';
import { presentExamination } from './examination-json.ts';

export interface HealthRoutesDeps {
  /** Answers when the store is reachable and writable; else throws a Failure. */
  readonly checkStore: () => Promise<void>;
  readonly isStopping: () => boolean;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** Lets this server recognize itself at BASE_URL. */
  readonly identity: () => string;
  readonly identifyCaller: IdentifyCaller;
  /** Whether it is the command `doctor`, with the key of this server. */
  readonly isDoctor: (proof: string) => boolean;
  readonly showExamination: ShowExamination;
  /** BASE_URL, or where the server listens. */
  readonly baseUrl: () => string;
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
export function registerHealthRoutes(router: Router, deps: HealthRoutesDeps): void {
  const { isStopping } = deps;
  const checkStore = onceASecond(deps.checkStore, deps.now);

  router.get('/healthz', (context) => {
    context.set('Cache-Control', 'no-store');
    context.body = 'identity' in context.query ? { status: 'ok', identity: deps.identity() } : { status: 'ok' };
  });

  router.get('/readyz', async (context) => {
    context.set('Cache-Control', 'no-store');
    if (isStopping()) throw new Failure('unavailable', 'The server is stopping.');
    if ('verbose' in context.query) {
      const caller = deps.isDoctor(context.get(DOCTOR_HEADER)) ? 'doctor' : await deps.identifyCaller(context);
      context.body = presentExamination(await deps.showExamination(caller), deps.baseUrl());
      return;
    }
    await checkStore();
    context.body = { status: 'ok' };
  });
}
