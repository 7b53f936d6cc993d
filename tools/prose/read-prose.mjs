// Reads Markdown files and sentences as JSON from standard input ({ files: { name: text }, sentences: [{ place, text }] })
// and answers what retext finds in them, as JSON.
import { text } from 'node:stream/consumers';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRetext from 'remark-retext';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextPassive from 'retext-passive';
import retextReadability from 'retext-readability';
import retextStringify from 'retext-stringify';
import { unified } from 'unified';

/** Readability in years of age; a sentence is named if five of seven formulas agree. */
const AGE = 18;
const THRESHOLD = 5 / 7;

const rules = unified()
  .use(retextEnglish)
  .use(retextIndefiniteArticle)
  .use(retextPassive)
  .use(retextReadability, { age: AGE, threshold: THRESHOLD });
const sentence = rules().use(retextStringify).freeze();
const page = unified().use(remarkParse).use(remarkGfm).use(remarkRetext, rules()).use(asNothing).freeze();

/** The findings are wanted, not the text. */
function asNothing() {
  this.compiler = () => '';
}

const { files, sentences } = JSON.parse(await text(process.stdin));
const found = [];
for (const [name, content] of Object.entries(files)) {
  const { messages } = await page.process(content);
  for (const message of messages) found.push(finding(message, `${name}:${message.line}`));
}
for (const one of sentences) {
  const { messages } = await sentence.process(one.text);
  for (const message of messages) found.push(finding(message, one.place));
}
process.stdout.write(JSON.stringify(found));

function finding({ source, reason }, place) {
  return { rule: source.replace('retext-', ''), place, reason };
}
