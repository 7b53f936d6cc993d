import { counted } from '../../core/sentences.ts';

export const OBJECT_FORM = 'an object';

export const ARRAY_FORM = 'an array';

export function linesBeyondEnd(lines: number, files: number): string {
  return (
    `${counted(lines, 'line')} beyond the end of ${counted(files, 'file')} ${isOrAre(lines)} left out: ` +
    'the report was made from a different version of the file.'
  );
}

export function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
