import { COVERAGE_FILE, type CoverageFile, readCoverageFile } from '@coverage/shared/coverage-file';
import { Document, isMap, isScalar, isSeq, visit } from 'yaml';

const HEAD = ' How coverage is judged here. "coverage check-config" checks this file.';

/** The file's text. Each map of values is on one line. */
export function writeCoverageFile(file: CoverageFile): string {
  const document = new Document(inOrder(file));
  document.commentBefore = HEAD;
  visit(document, {
    Map(_, node, path) {
      const isLeaf = node.items.every(({ value }) => isScalar(value) || (isSeq(value) && value.items.length <= 3));
      if (path.length > 1 && isLeaf) node.flow = true;
      if (isMap(node) && node.items.length === 1 && node.has('off') && path.length > 1) node.flow = true;
    },
    Seq(_, node) {
      if (node.items.every(isScalar)) node.flow = node.items.length <= 6;
    },
  });
  const text = document.toString({ lineWidth: 120, singleQuote: true });
  const read = readCoverageFile(new TextEncoder().encode(text));
  if ('problems' in read) throw new Error(`The translated file is not valid: ${JSON.stringify(read.problems)}`);
  return text;
}

/** The keys as the reference has them. */
function inOrder(file: CoverageFile): CoverageFile {
  const { keys } = COVERAGE_FILE as Extract<typeof COVERAGE_FILE, { readonly kind: 'map' }>;
  return Object.fromEntries(
    Object.keys(keys).flatMap((key) => (Object.hasOwn(file, key) ? [[key, file[key as keyof CoverageFile]]] : [])),
  );
}
