import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'main-'));
  writeFileSync(join(folder, 'lcov.info'), 'SF:a.c\nDA:1\nend_of_record\n');
  writeFileSync(join(folder, 'event.json'), '{}');
  writeFileSync(join(folder, 'broken.json'), '{');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BUNDLE = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Runs the built action as the runner does: inputs and context in the environment. */
function start(env: Record<string, string>): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [BUNDLE], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      'INPUT_SERVER-URL': 'http://127.0.0.1:9',
      'INPUT_REPO-TOKEN': 'tok',
      GITHUB_WORKSPACE: folder,
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      ...env,
    },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout })));
}

test.concurrent('a failure fails the step, its annotation names file and line, the token is masked', async () => {
  const { code, stdout } = await start({});
  expect(code).toBe(1);
  expect(stdout).toContain('::add-mask::tok');
  expect(stdout).toContain('::error::lcov.info, line 2: expected DA:<line>,<hits>, got "DA:1"');
  expect(stdout).not.toContain('    at ');
});

test.concurrent('with fail-on-error off it is a warning that still says what happened', async () => {
  const { code, stdout } = await start({ 'INPUT_FAIL-ON-ERROR': 'false' });
  expect(code).toBe(0);
  expect(stdout).toContain('::warning::Coverage was not processed, and fail-on-error is off: lcov.info, line 2');
});

test.concurrent('an event file that can not be read is a failure like any other', async () => {
  const { code, stdout } = await start({ GITHUB_EVENT_PATH: join(folder, 'broken.json') });
  expect(code).toBe(1);
  expect(stdout).toMatch(/::error::.*JSON/);
});

test.concurrent('the bundle loads what few runs need when it is needed', async () => {
  const late = ['child_process', 'crypto', 'http', 'zlib', 'fs/streams'].map((name) => `'NativeModule ${name}'`);
  const list = join(folder, 'list.mjs');
  writeFileSync(
    list,
    `process.on('exit', () =>
      console.log('loaded', process.moduleLoadList.filter((name) => [${late}].includes(name))));`,
  );
  const { code, stdout } = await start({ 'INPUT_REPO-TOKEN': '', NODE_OPTIONS: `--import=${list}` });
  expect([code, stdout]).toEqual([1, expect.stringContaining('Input repo-token')]);
  expect(stdout).toContain('loaded []');
});

test('every input that is read is declared in action.yml, and every declared one is read', () => {
  const declared =
    /\ninputs:\n([\s\S]*?)\noutputs:/.exec(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'))?.[1] ??
    '';
  const names = [...declared.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name);
  const source = ['./step/inputs.ts', './step/codecov-inputs.ts']
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
    .join('\n');
  const quoted = new Set([...source.matchAll(/(?:'|^ {2})([a-z]+(?:[-_][a-z]+)*)(?:'|:)/gm)].map(([, name]) => name));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !quoted.has(name))).toEqual([]);
  const read = [...source.matchAll(/(?:input\(|readSwitch\(source, )'([a-z-]+)'/g)].map(([, name]) => name);
  expect(read.filter((name) => !names.includes(name))).toEqual([]);
});
