import type { VNode } from 'preact';
import type { SiteLinks } from './site-links.ts';

/** A page that a sentence of ours names. What somebody sent is quoted, and so is a name that looks like one. */
const NAMED = /(?<!["\w/])docs\/([a-z-]+)\.md\b/g;

/** The sentence with addresses in the place of names. */
export function withDocsAddresses(sentence: string, addressOf: (page: string) => string): string {
  return sentence.replace(NAMED, (_, page: string) => addressOf(page));
}

/** The sentence with links. */
export function DocsText({ text, links }: { readonly text: string; readonly links: SiteLinks }): VNode {
  const parts = text.split(NAMED);
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : <a href={links.docs(part)}>docs/{part}.md</a>))}</>;
}
