import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A server to compare with, in a process of its own. */
export interface PlainServer {
  readonly url: string;
  dispose(): Promise<void>;
}

/** `receive` takes bodies and does nothing with them; `parse` reads and checks them, in its one thread. */
export async function startPlainServer(kind: 'receive' | 'parse'): Promise<PlainServer> {
  const script = join(import.meta.dirname, 'children', 'plain-server.mjs');
  const child = spawn(process.execPath, [script, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [port] = await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    async dispose() {
      child.kill();
      await ended;
    },
  };
}
