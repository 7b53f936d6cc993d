/** What every request to another server is sent by: through the company's proxy, and with its certificates. */
export type Fetch = typeof fetch;

/** A request that never left, for a reason that a setting fixes: the message is a clause that names the setting. */
export class NotSent extends Error {}

/** The NotSent that an error of a Fetch, or of a library that was given one, comes from. */
export function findNotSent(error: unknown): NotSent | undefined {
  let next = error;
  for (let depth = 0; depth < 6 && next instanceof Error; depth += 1) {
    if (next instanceof NotSent) return next;
    next = next.cause;
  }
  return undefined;
}
