import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A job of a workflow, as far as tests look at it. */
export interface WorkflowJob {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly name?: string;
    readonly run?: string;
    readonly uses?: string;
    readonly 'working-directory'?: string;
  }[];
}

/** The texts of this repo's own workflows and actions, by path. */
export function ownWorkflows(): Readonly<Record<string, string>> {
  const paths = globSync('.github/{workflows,actions}/**/*.yml', { cwd: root }).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(root + path, 'utf8')]));
}

export function releaseJobs(): Readonly<Record<string, WorkflowJob>> {
  const text = ownWorkflows()['.github/workflows/release.yml'] ?? '';
  return (parse(text) as { readonly jobs: Readonly<Record<string, WorkflowJob>> }).jobs;
}
