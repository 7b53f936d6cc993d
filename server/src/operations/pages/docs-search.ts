import type { Docs, DocsHit, DocsPage, DocsSection } from './docs-page.tsx';

const MAX_HITS = 30;
const MAX_WORDS = 8;
const EXCERPT = 180;

/** Sections that have all the words, those with them in a heading first. */
export function searchDocs({ pages }: Docs, query: string): readonly DocsHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const found = pages.flatMap((page) =>
    page.sections.flatMap((section) => {
      const score = scoreOf(page, section, words);
      return score === 0 ? [] : [{ score, hit: { page, section, excerpt: excerptOf(section.text, words) } }];
    }),
  );
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, MAX_HITS).map(({ hit }) => hit);
}

/** 0: not all of the words are there. */
function scoreOf(page: DocsPage, section: DocsSection, words: readonly string[]): number {
  const [ofPage, heading, text] = [page.title, section.title, section.text].map((one) => one.toLowerCase());
  let score = 0;
  for (const word of words) {
    const own = (heading?.includes(word) ? 10 : 0) + (text?.includes(word) ? 1 : 0);
    const above = ofPage?.includes(word) ? 3 : 0;
    if (own + above === 0) return 0;
    score += own + above;
  }
  return score;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((found) => found >= 0), text.length);
  const from = at < EXCERPT / 2 || at === text.length ? 0 : text.indexOf(' ', at - EXCERPT / 3) + 1;
  const shown = text.slice(from, from + EXCERPT).toWellFormed();
  return `${from > 0 ? '… ' : ''}${shown}${from + EXCERPT < text.length ? ' …' : ''}`;
}
