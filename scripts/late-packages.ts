import type { OutputChunk, Plugin } from 'rolldown';

const START = '\n/*! Packages of which one command needs the code.\n';
const END = '\n*/\n';
/** In place of the end of a comment. */
const ESCAPED = '*@@/';

/**
 * Packages as a comment at the end of a file. The file stays one file and readable, and Node does not compile what most
 * runs leave out: 680 of 1,290 KB, two fifths of the start of the command.
 */
export function asComment({ code }: OutputChunk): string {
  if (code.includes(ESCAPED)) throw new Error(`The packages have ${ESCAPED} in their code.`);
  return `${START}${code.replaceAll('*/', ESCAPED)}${END}`;
}

/** Puts in place of a module, whose name ends so, one that takes its exports out of the comment. */
export function readFromComment(ending: string, { exports }: OutputChunk): Plugin {
  const [word] = START.trim().slice('/*! '.length).split('\n');
  const code = `
    import { readFileSync } from 'node:fs';
    import { createRequire } from 'node:module';
    const text = readFileSync(new URL(import.meta.url), 'utf8');
    const start = text.lastIndexOf('\\n/*! ' + ${JSON.stringify(word)} + '\\n');
    const packages = text.slice(text.indexOf('\\n', start + 1), text.indexOf(${JSON.stringify(END)}, start));
    const found = {};
    new Function('exports', 'require', packages.replaceAll(${JSON.stringify(ESCAPED)}, '*' + '/'))(
      found,
      createRequire(import.meta.url),
    );
    export const { ${exports.join(', ')} } = found;
  `;
  return { name: 'late-packages', load: (id) => (id.endsWith(ending) ? { code, moduleType: 'js' } : undefined) };
}
