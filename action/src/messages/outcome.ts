export const NOTHING_SENT = 'Dry run: nothing was sent.';

export function verdictUnreadable(url: string): string {
  return (
    `Input wait: the verdict cannot be read with the token at hand, so this step does not end by it. The upload ` +
    `succeeded. See ${url}`
  );
}
