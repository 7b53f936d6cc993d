import { dirname } from 'node:path';

interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

const SOURCES = /^(?:shared|server|action)\/src\//;
const TESTS = /\.test\.tsx?$/;

/** Folders of sources from which imports lead back to themselves, through other folders; each group once. */
export function findFolderCycles(modules: readonly Module[]): readonly (readonly string[])[] {
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    if (!SOURCES.test(source) || TESTS.test(source)) continue;
    const folder = dirname(source);
    const known = imports.get(folder) ?? new Set();
    imports.set(folder, known);
    for (const { resolved } of dependencies) if (SOURCES.test(resolved)) known.add(dirname(resolved));
    known.delete(folder);
  }
  const reached = new Map([...imports.keys()].map((folder) => [folder, reach(folder, imports)]));
  const inCycle = [...reached].filter(([folder, others]) => others.has(folder)).map(([folder]) => folder);
  const groups = inCycle.map((folder) =>
    inCycle.filter((other) => reached.get(folder)?.has(other) && reached.get(other)?.has(folder)).join(' '),
  );
  return [...new Set(groups)].map((group) => group.split(' '));
}

function reach(from: string, imports: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = [...(imports.get(from) ?? [])];
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    if (reached.has(folder)) continue;
    reached.add(folder);
    next.push(...(imports.get(folder) ?? []));
  }
  return reached;
}
