import type { Texts } from '../../core/sentences.ts';

/** Of a member, or of a share link. */
export function fieldWrong({ field, form, found }: Texts<'field' | 'form' | 'found'>): string {
  return `${field} must be ${form}, not ${found}.`;
}
