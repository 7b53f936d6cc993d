export function issuerUnreachable(issuer: string, why: string): string {
  return `The keys of ${issuer} could not be fetched: ${why}.`;
}

export const ANSWER_NOT_UNDERSTOOD = 'its answer is not that of an issuer';
