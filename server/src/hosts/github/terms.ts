import { type HostTerms, USUAL_TERMS } from '../../core/repo/git-host.ts';

/** Its temporary merge commits: `Merge <head> into <base>` (rule 21). */
const MERGE_SUBJECT = /^Merge ([0-9a-f]{40}(?:[0-9a-f]{24})?) into ([0-9a-f]{40}(?:[0-9a-f]{24})?)/;

/** Descriptions have 140 characters, comments 65,536. */
export const GITHUB_TERMS: HostTerms = {
  ...USUAL_TERMS,
  mergedBy(message) {
    const [, head, base] = MERGE_SUBJECT.exec(message) ?? [];
    return head !== undefined && base !== undefined ? { head, base } : undefined;
  },
};
