import { createServer, type Server } from 'node:http';

/** Milliseconds. */
const LIMITS = { requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };
const MAX_CONNECTIONS = 32;

/** The server of METRICS_PORT, not yet listening: `GET /metrics` without a token, and nothing else. */
export function createMetricsServer(deps: {
  readonly scrape: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly onFault: (error: unknown) => void;
}): Server {
  const { scrape, onFault } = deps;
  const server = createServer(LIMITS, async (req, res) => {
    if (req.method !== 'GET' || req.url?.split('?', 1)[0] !== '/metrics') {
      res.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Only GET /metrics is available here.\n');
      return;
    }
    try {
      const { contentType, text } = await scrape();
      res.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text);
    } catch (error) {
      onFault(error);
      res.writeHead(500).end();
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
