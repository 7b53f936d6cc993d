export const AGAIN = 'Nothing was imported. Copy the folder again from where it was made.';

export function fileDamaged(path: string): string {
  return `${path} is not as an export writes it. ${AGAIN}`;
}
