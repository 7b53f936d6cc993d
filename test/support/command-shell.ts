import type { Arguments, Shell } from '../../action/src/command/shell/command.ts';

/** A shell in memory, and what a command wrote there. */
export interface RecordedShell extends Shell {
  readonly printed: () => string;
  readonly said: () => string;
}

/** Without network: a test that needs one runs the built command. */
export function commandShell(changes: Partial<Shell> = {}): RecordedShell {
  const printed: string[] = [];
  const said: string[] = [];
  return {
    env: {},
    folder: process.cwd(),
    print: (text) => void printed.push(text),
    printAll: async (pieces) => void printed.push(...pieces),
    say: (line) => void said.push(line),
    terminal: undefined,
    runtime: {
      userAgent: 'a-client/1.2',
      fetch: () => Promise.reject(new Error('no network in this test')),
      now: () => 1_900_000_000_000,
      random: () => 0.5,
      sleep: () => Promise.resolve(),
    },
    program: 'coverage',
    version: '1.2.3',
    nodeVersion: '20.0.0',
    file: '/nowhere/coverage.mjs',
    printed: () => printed.join(''),
    said: () => said.join('\n'),
    ...changes,
  };
}

/** Options as they would be parsed; `true` for a switch. */
export function givenArguments(options: Readonly<Record<string, string | true>>): Arguments {
  const text = (name: string): string | undefined => {
    const value = options[name];
    return value === true ? '' : value;
  };
  return {
    operands: [],
    isOn: (name) => name in options,
    text,
    texts: (name) => [text(name)].filter((value) => value !== undefined),
  };
}
