import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand out to connections, and to anybody who listens on port 0: what was killed finds its
 * port free when it is started again, however many other tests run beside it.
 */
const PORTS = { from: 15_000, to: 32_000 };

/** A port of this machine that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
    });
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
