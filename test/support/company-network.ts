import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

/** A network whose names only its proxy knows, and whose certificates only its own authority vouches for. */
export interface CompanyNetwork {
  /** With a user and a password. */
  readonly proxyUrl: string;
  /** The authority's certificate. */
  readonly caFile: string;
  /** Serves what listens on a port of 127.0.0.1 as https://<host>. */
  publish(host: string, port: number): void;
  /** What the proxy was asked to connect to, as `<host>:<port>`. */
  connects(): readonly string[];
  /** From now on the proxy answers so; 200: it connects. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

const USER = 'coverage:password-of-the-proxy-0123';

export async function startCompanyNetwork(hosts: readonly string[]): Promise<CompanyNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'company-network-'));
  makeCertificates(folder, hosts);
  const [key, cert] = ['host.key', 'host.pem'].map((file) => readFileSync(join(folder, file)));
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => sockets.add(socket) && socket.on('error', () => socket.destroy());
  const published = new Map<string, number>();
  const tls = createTlsServer({ key, cert }, (socket) => {
    const port = published.get(String(socket.servername)) ?? 0;
    tie(keep(socket), keep(connect(port, '127.0.0.1')));
  });
  const tlsPort = await listen(tls);
  const connects: string[] = [];
  let status = 200;
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    const [host = '', port] = (request.url ?? '').split(':');
    connects.push(request.url ?? '');
    const isKnown = request.headers['proxy-authorization'] === `Basic ${Buffer.from(USER).toString('base64')}`;
    const answer = isKnown ? status : 407;
    if (answer !== 200) return void keep(socket).end(`HTTP/1.1 ${answer} No\r\ncontent-length: 0\r\n\r\n`);
    const target = keep(connect(published.has(host) ? tlsPort : Number(port), '127.0.0.1'));
    target.once('connect', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
    tie(target, keep(socket));
  });
  const proxyPort = await listen(proxy);
  return {
    proxyUrl: `http://${USER}@127.0.0.1:${proxyPort}`,
    caFile: join(folder, 'ca.pem'),
    publish: (host, port) => void published.set(host, port),
    connects: () => [...connects],
    answerWith: (next) => {
      status = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      await Promise.all([proxy, tls].map((server) => once(server.close(), 'close')));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Each gets what the other sends, and they end together. */
function tie(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** An authority, and a certificate of it for the hosts. */
function makeCertificates(folder: string, hosts: readonly string[]): void {
  const openssl = (...args: readonly string[]): void => {
    const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...fresh, ...args], { cwd: folder, stdio: 'pipe' });
  };
  openssl('-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Authority of Acme');
  const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`;
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'basicConstraints=critical,CA:FALSE'];
  openssl(...signed, '-keyout', 'host.key', '-out', 'host.pem', '-subj', '/CN=a host', '-addext', names);
}
