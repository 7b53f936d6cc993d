import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { shaOf } from '../support/coverage-api.ts';
import { pushEvent } from '../support/event-payloads.ts';
import { runAction } from '../support/run-action.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the two files that docs/publish-action.md copies are the whole action', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'action-copy-'));
  const workspace = join(parent, 'shop');
  try {
    await mkdir(workspace);
    await writeFile(join(workspace, 'a.js'), 'a();\nb();\n');
    await writeFile(join(workspace, 'lcov.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n');
    const page = await readFile(join(root, 'docs/publish-action.md'), 'utf8');
    const [commands = ''] = /^mkdir (?:.*\n)+?(?=```$)/m.exec(page) ?? [];
    const shell = { cwd: workspace, env: inheritedEnvironment() };
    execFileSync('sh', ['-ec', commands.replaceAll('../coverage-service/', root)], shell);

    const copy = join(workspace, '.github/actions/coverage');
    const metadata = join(copy, 'action.yml');
    const [, main = ''] = /^ {2}main: (.*)$/m.exec(await readFile(metadata, 'utf8')) ?? [];
    const event = pushEvent({ repo: 'acme/shop', branch: 'main', sha: shaOf('first') });
    const inputs = { 'server-url': 'https://coverage.example', 'dry-run': 'true' };
    const ended = await runAction({ workspace, event, inputs, metadata, bundle: join(copy, main) });
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/a\.js.*1 of 2/) });
  } finally {
    await rm(parent, { recursive: true });
  }
});
