/** Loading one of these takes milliseconds of a start, and not every run needs it. */
const LATE: ReadonlySet<string> = new Set(['child_process', 'crypto', 'http', 'zlib']);
const IMPORT = /^import (?:(?:\* as )?([\w$]+) from |\{ ([^}]+) \} from )?"(?:node:)?([a-z_/]+)";$/gm;

/**
 * A bundle's imports of Node's own modules as calls; functions of LATE load theirs when they are called. An import
 * statement loads at once, and reads all names of the module: those of `fs` load Node's streams. Over an empty script
 * the action took 18 ms of processor time instead of 37.
 */
export function loadBuiltInsLate(code: string): string {
  const changed = code.replace(IMPORT, (_, whole: string | undefined, names: string | undefined, module: string) => {
    const load = `process.getBuiltinModule("node:${module}")`;
    const isLate = LATE.has(module);
    if (whole !== undefined)
      return `const ${whole} = ${isLate ? `new Proxy({}, { get: (_, name) => ${load}[name] })` : load};`;
    if (names === undefined) return '';
    return isLate ? lateFunctions(names, module, load) : `const { ${names.replaceAll(' as ', ': ')} } = ${load};`;
  });
  if (/^import /m.test(changed)) throw new Error('The bundle has an import statement that this does not know.');
  return changed;
}

function lateFunctions(names: string, module: string, load: string): string {
  const known = process.getBuiltinModule(module) as Readonly<Record<string, unknown>>;
  const declared = names.split(', ').map((pair) => {
    const [name = '', local = name] = pair.split(' as ');
    if (typeof known[name] !== 'function')
      throw new Error(`${name} of ${module} is no function, so it would be early.`);
    return `const ${local} = (...given) => ${load}.${name}(...given);`;
  });
  return declared.join('\n');
}
