export function oneOf(known: string): string {
  return `one of ${known}`;
}
