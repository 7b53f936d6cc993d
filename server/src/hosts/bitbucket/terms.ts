import { type HostTerms, USUAL_TERMS } from '../../core/repo/git-host.ts';

/**
 * Both Bitbuckets show HTML as text. A definition of a link is shown nowhere and stays in the text of a comment, of
 * which 32,768 characters are told to fit.
 */
export const BITBUCKET_TERMS: HostTerms = {
  ...USUAL_TERMS,
  comment: {
    maxLength: 32_000,
    html: false,
    marker: (text) => `[//]: # (${text.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('\\', '%5C')})`,
  },
};
