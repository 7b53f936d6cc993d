import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Document } from 'mongodb';
import { carryOut, type Operation, type Refusal } from './bulk-write-command.ts';
import { type Message, messageOf, readMessages, toMessage } from './wire-messages.ts';

/** A MongoDB of an earlier version that takes the command `bulkWrite` as the documentation of 8.0 describes it. */
export interface BulkWriteStandIn {
  /** The URL of a database behind it. */
  urlOf(databaseUrl: string): string;
  /** Answers each `bulkWrite` with this error; undefined: with what it does. */
  refuse(refusal: Refusal | undefined): void;
  /** Called before each operation of a `bulkWrite`; `cut`: the connection is lost there. */
  beforeOperation(hook: ((operation: Operation) => 'cut' | 'go') | undefined): void;
  stop(): Promise<void>;
}

/** The wire version of 8.0. */
const VERSION = 25;
/** A 32-bit number of that name, as BSON begins it. */
const VERSION_FIELD = Buffer.from('\u0010maxWireVersion\u0000', 'latin1');

/** Stands before the lone server of a URL without a user. Everything but `bulkWrite` and `hello` passes as it is. */
export async function startBulkWriteStandIn(serverUrl: string): Promise<BulkWriteStandIn> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let refusal: Refusal | undefined;
  let hook: Parameters<BulkWriteStandIn['beforeOperation']>[0];
  const serve = async (client: Socket): Promise<void> => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    }
    const close = (): void => void [client, upstream].map((socket) => socket.destroy());
    client.once('close', close);
    upstream.once('close', close);
    const waiting = forwardReplies(upstream, client);
    const ask = (command: Document): Promise<Document> =>
      new Promise((resolve) => {
        const message = toMessage(command);
        waiting.set(messageOf(message).id, resolve);
        upstream.write(message);
      });
    for await (const bytes of readMessages(client)) {
      const message = messageOf(bytes);
      const command = message.command();
      if (command === undefined) {
        upstream.write(bytes);
        continue;
      }
      const reply = await carryOut(command, { ask, refusal, before: (operation) => hook?.(operation) ?? 'go' });
      if (reply === 'cut') return close();
      client.write(toMessage(reply, message.id));
    }
  };
  const server = createServer({ noDelay: true }, (client) => void serve(client).catch(() => client.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return {
    urlOf: (databaseUrl) => databaseUrl.replace(/^mongodb:\/\/[^/]+/, `mongodb://127.0.0.1:${address.port}`),
    refuse: (next) => {
      refusal = next;
    },
    beforeOperation: (next) => {
      hook = next;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Passes on what the server says, as if it were 8.0. Returns who waits for replies to our own commands. */
function forwardReplies(upstream: Socket, client: Socket): Map<number, (reply: Document) => void> {
  const waiting = new Map<number, (reply: Document) => void>();
  const forward = async (): Promise<void> => {
    for await (const bytes of readMessages(upstream)) {
      const message: Message = messageOf(bytes);
      const resolve = waiting.get(message.answers);
      if (resolve === undefined) client.write(withVersion(bytes));
      else {
        waiting.delete(message.answers);
        resolve(message.body());
      }
    }
  };
  void forward().catch(() => client.destroy());
  return waiting;
}

function withVersion(bytes: Buffer): Buffer {
  const at = bytes.indexOf(VERSION_FIELD);
  if (at >= 0) bytes.writeInt32LE(VERSION, at + VERSION_FIELD.length);
  return bytes;
}
