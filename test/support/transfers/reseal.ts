import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Makes digests and manifest fit what is in the folder, as somebody with bad intentions would. */
export async function reseal(folder: string, change: object = {}): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((one) => one.isFile() && !['SHA256SUMS', 'manifest.json'].includes(one.name))
    .map((one) => relative(folder, join(one.parentPath, one.name)));
  const sums: string[] = [];
  for (const path of paths) sums.push(`${digest(await readFile(join(folder, path)))}  ${path}\n`);
  await sign(folder, sums.join(''), change);
}

/** Makes this the list of digests. */
export async function sign(folder: string, sums: string, change: object = {}): Promise<void> {
  await writeFile(join(folder, 'SHA256SUMS'), sums);
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as object;
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, sha256: digest(sums), ...change }));
}

export function digest(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
