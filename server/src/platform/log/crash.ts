import type { SecretTexts } from '../../core/secret-texts.ts';

/** A bug's stack and those of its causes; never its other properties: those of clients hold requests with headers. */
export function describeCrash(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined || depth > 4 ? stack : `${stack}\n${describeCrash(error.cause, depth + 1)}`;
}

/** What nobody caught ends the process, as it would without this; but Node itself would print secrets. */
export function endOnCrash({ hide }: Pick<SecretTexts, 'hide'>): void {
  process.on('uncaughtException', (error) => {
    console.error(hide(describeCrash(error)));
    process.exit(1);
  });
}
