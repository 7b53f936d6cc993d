/** What the set-up page says that it saw of each step: the mark, then the words. */
export function setupProofs(html: string): readonly string[] {
  const found = html.matchAll(/<p class="proof (\w+)">.*?<span>(.*?)<\/span>/gs);
  return [...found].map(([, mark, words = '']) => `${mark}: ${words.replaceAll('&quot;', '"')}`);
}
