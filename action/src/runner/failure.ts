/** What kind of trouble stopped the step; stable, so that tests and readers can rely on it. */
export type FailureCode =
  | 'bad-input'
  /** A fork's pull request without a secret: no fault of anybody, so the step does not fail. */
  | 'no-secret'
  | 'report-missing'
  | 'report-not-understood'
  | 'report-damaged'
  | 'report-empty'
  | 'report-ambiguous'
  | 'nothing-in-checkout'
  | 'server-unreachable'
  | 'server-refused'
  | 'answer-not-understood';

interface FailureOptions extends ErrorOptions {
  readonly ofToken?: boolean;
  readonly ofServer?: boolean;
}

/**
 * A failure that a person can act on: the message says what happened, with the offending value, and what to do next.
 */
export class ActionFailure extends Error {
  override readonly name = 'ActionFailure';
  readonly code: FailureCode;
  /** The server does not take the token: another one may do. */
  readonly ofToken: boolean;
  /** The server could not be reached, or failed: nothing in the workflow is wrong. */
  readonly ofServer: boolean;

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options);
    this.code = code;
    this.ofToken = options.ofToken ?? false;
    this.ofServer = options.ofServer ?? false;
  }
}

/** What ends the step without failing it, whatever `fail-on-error` says. */
export function noSecret(cause: ActionFailure): ActionFailure {
  return new ActionFailure('no-secret', forkWithoutSecret(cause.message), { cause });
}

function forkWithoutSecret(reason: string): string {
  return (
    'Coverage was not accepted, and the step does not fail for it: the run of a pull request from a fork, and one ' +
    "that Dependabot started, gets no secret. The server accepts such runs if the repo's setting accept_forks is on. " +
    `Dependabot's pushes need the repo token among Dependabot's secrets. ${reason}`
  );
}
