export const AGAIN = 'Nothing was imported. Take the folder from where it was made again.';

export function fileDamaged(path: string): string {
  return `${path} is not as an export writes it. ${AGAIN}`;
}
