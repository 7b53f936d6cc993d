export const FOR_CREATE_ALONE = '--user and --role belong to create.';

export function notUnderstood(words: string): string {
  return `Unknown arguments: ${words}`;
}

export function roleWrong(found: string): string {
  return `--role is user or administrator, not ${found}.`;
}

export const TRANSFER_COLUMNS = ['KIND', 'COUNT'] as const;
