import type { Texts } from '../../core/sentences.ts';

/** For a member, or for a share link. */
export function fieldWrong({ field, form, found }: Texts<'field' | 'form' | 'found'>): string {
  return `${field} must be ${form}, not ${found}.`;
}
