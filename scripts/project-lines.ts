// A reporter for Vitest: one line for each project, since its own `minimal` prints nothing about what passed.
import type { Reporter, TestModule } from 'vitest/node';

interface Counted {
  files: number;
  tests: number;
  /** For its files, one after another, in ms. */
  spent: number;
}

export default class ProjectLines implements Reporter {
  readonly #projects = new Map<string, Counted>();

  onTestModuleEnd(module: TestModule): void {
    const { name } = module.project;
    const counted = this.#projects.get(name) ?? { files: 0, tests: 0, spent: 0 };
    counted.files += 1;
    counted.tests += [...module.children.allTests()].length;
    counted.spent += module.diagnostic().duration;
    this.#projects.set(name, counted);
  }

  onTestRunEnd(): void {
    for (const [name, { files, tests, spent }] of this.#projects)
      console.log(`${name.padEnd(14)}${tests} tests in ${files} files, ${(spent / 1_000).toFixed(1)} s of work`);
  }
}
