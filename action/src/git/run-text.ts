import { execFile } from 'node:child_process';

/** How git is started: by which command, in which folder, with which variables and no others. */
export interface GitStart {
  readonly command: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `git ls-files` of the largest repositories is some 100 MB. */
const MAX_OUTPUT_BYTES = 512 << 20;
const TIME_LIMIT_MS = 60_000;

/** Standard output, or undefined where the command is missing, fails, or takes too long. Never through a shell. */
export function runText(
  { command, folder, env }: GitStart,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIME_LIMIT_MS, ...(signal === undefined ? {} : { signal }) };
  return new Promise((resolve) => {
    execFile(command, args, { ...limits, env, cwd: folder, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
