import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inheritedEnvironment } from '../support/child-process.ts';
import { shaOf } from '../support/coverage-api.ts';
import { pushEvent } from '../support/runner-stand-in/event-payloads.ts';
import { runAction } from '../support/runner-stand-in/run-action.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the two files that docs/action.md copies are the whole action', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'action-copy-'));
  const workspace = join(parent, 'shop');
  try {
    await mkdir(workspace);
    await writeFile(join(workspace, 'a.js'), 'a();\nb();\n');
    await writeFile(join(workspace, 'lcov.info'), 'SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n');
    const page = await readFile(join(root, 'docs/action.md'), 'utf8');
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

test('its commands put the branch, its tags and v0 into the repository of an organization', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'action-published-'));
  try {
    const page = await readFile(join(root, 'docs/action.md'), 'utf8');
    const [commands = ''] = /^git remote add ours (?:.*\n)+?(?=```$)/m.exec(page) ?? [];
    const published = join(parent, 'published.git');
    const shell = (script: string): string =>
      execFileSync('sh', ['-ec', script], {
        cwd: parent,
        encoding: 'utf8',
        env: inheritedEnvironment(),
        stdio: 'pipe',
      });
    shell(`git init -q --bare published.git && git init -q --initial-branch=main here && cd here
      git -c user.name=a -c user.email=a@x.example commit -q --allow-empty -m first && git tag v0.1.0
      ${commands.replace('git@github.com:your-organization/coverage-service.git', published)}`);
    const refs = shell("git -C published.git for-each-ref --format='%(refname)'").trim().split('\n');
    expect(refs).toEqual(['refs/heads/main', 'refs/tags/v0', 'refs/tags/v0.1.0']);
  } finally {
    await rm(parent, { recursive: true });
  }
});
