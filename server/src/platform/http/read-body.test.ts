import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

test('the parser’s chunks are freed at once, not by the collector', async () => {
  const sent = Buffer.alloc(300_000, 'body ');
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const server = createServer((req, res) => {
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    void readBody(req, { limit: 1_000_000 }).then((body) => res.end(() => resolve(body)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  request({ port, host: '127.0.0.1', method: 'POST' }).end(sent);
  const body = await promise;
  server.closeAllConnections();
  server.close();
  expect(sent.equals(body)).toBe(true);
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.filter((chunk) => chunk.buffer.byteLength > 0)).toEqual([]);
});
