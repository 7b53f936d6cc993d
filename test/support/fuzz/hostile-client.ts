// Run in a process of its own, so that what it costs is not taken for the server's: hostile-client.ts <port> <seconds>.
// Ends with one line of JSON.
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** What became of the attacks. */
export interface HostileSummary {
  /** Connections that said nothing, and how many of them were open to the end. */
  readonly idle: number;
  readonly stillIdle: number;
  /** Bodies of one byte a second, and how many of them were read to the end. */
  readonly slow: number;
  readonly stillSlow: number;
  /** First lines of the answers. */
  readonly bombs: readonly string[];
  readonly stated: readonly string[];
  readonly chunked: readonly string[];
}

const GIBIBYTE = 2 ** 30;
const TIME_LIMIT = 20_000;
const [port, seconds] = process.argv.slice(2).map(Number);
const end = performance.now() + Number(seconds) * 1_000;

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

async function openMany(count: number, first: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = await Promise.all(Array.from({ length: Math.min(100, count - sockets.length) }, open));
    for (const socket of some) socket.on('error', () => {}).resume();
    if (first !== '') for (const socket of some) socket.write(first);
    sockets.push(...some);
  }
  return sockets;
}

const head = (line: string): string =>
  `POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${line}\r\n\r\n`;
const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;

/**
 * Writes a head and then `piece` again and again until `bytes` are written or the server hangs up; answers the first
 * line that came back.
 */
async function pour(first: string | Uint8Array, piece: Uint8Array, bytes: number): Promise<string> {
  const socket = await open();
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => resolve()));
  socket.write(first);
  // A slow machine may not have reached the limit by the end: who has no answer yet continues.
  const isOver = (): boolean => performance.now() > (answer.includes('\r\n') ? end : end + TIME_LIMIT);
  for (let sent = 0; sent < bytes && isOpen(socket) && !isOver(); sent += piece.length) {
    if (!socket.write(piece)) await Promise.race([new Promise((drained) => socket.once('drain', drained)), closed]);
  }
  while (!answer.includes('\r\n') && isOpen(socket) && performance.now() < end + TIME_LIMIT) await wait(5);
  socket.destroy();
  return answer.slice(0, answer.indexOf('\r\n'));
}

async function repeat(attack: () => Promise<string>): Promise<string[]> {
  const answers: string[] = [];
  do answers.push(await attack());
  while (performance.now() < end);
  return answers;
}

const idle = await openMany(2_000, '');
const slow = await openMany(200, head(`Content-Length: ${200 * 2 ** 20}`));
const drip = setInterval(() => {
  for (const socket of slow) if (isOpen(socket)) socket.write('{');
}, 1_000);
const bomb = gzipSync(Buffer.alloc(GIBIBYTE));
const bombRequest = Buffer.concat([
  Buffer.from(head(`Content-Encoding: gzip\r\nContent-Length: ${bomb.length}`)),
  bomb,
]);
const piece = Buffer.alloc(65_536, 0x20);
const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
console.log('begun');
const [bombs, stated, chunked] = await Promise.all([
  repeat(() => pour(bombRequest, piece, 0)),
  repeat(() => pour(head(`Content-Length: ${GIBIBYTE}`), piece, GIBIBYTE)),
  repeat(() => pour(head('Transfer-Encoding: chunked'), chunk, GIBIBYTE)),
]);
clearInterval(drip);
const summary: HostileSummary = {
  idle: idle.length,
  stillIdle: idle.filter(isOpen).length,
  slow: slow.length,
  stillSlow: slow.filter(isOpen).length,
  bombs,
  stated,
  chunked,
};
console.log(JSON.stringify(summary));
process.exit(0);
