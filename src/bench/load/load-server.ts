import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selfSigned } from '../../client/transports/self-signed.exam.ts';
import { end, pinned, SERVER_CORE, versionOf } from '../processes.ts';

/** The server that all generators load. */
export interface LoadServer {
  readonly name: string;
  readonly port: number;
  /** Port for the same answers over HTTP/2 without TLS; absent if the server does not speak it. */
  readonly http2Port?: number;
  /** File with the authority of its certificate; absent if it does not speak TLS. */
  readonly ca?: string;
  close(): Promise<void>;
}

export const originOf = ({ port, ca }: Pick<LoadServer, 'port' | 'ca'>): string =>
  `${ca === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;

const at = '2026-01-01T00:00:00.000Z';
const conversation = '0190a1b2-0000-4000-8000-000000000001';
const turn = (status: string, more = '') =>
  `{"turn_id":"$turn","conversation_id":"${conversation}","status":"${status}","created_at":"${at}","updated_at":"${at}"${more}}`;
const message = `,"message":{"conversation_id":"${conversation}","user_message_id":"${conversation}","assistant_message_id":"$uuid","answer":"Open from 9 to 17.","response_type":"text","cards":[],"visualizations":[],"sources":[],"suggested_actions":[],"metadata":{"latency_ms":12}}`;

/** Fixed answers with a new identifier in each. Every other poll finds the turn completed. */
const nginxSettings = (folder: string, [port, http2Port]: readonly number[], tls: boolean) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log error;
events { worker_connections 4096; }
http {
  access_log off;
  default_type application/json;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map $request_id $uuid { "~^(.{8})(.{4}).(.{3}).(.{3})(.{12})$" "$1-$2-4$3-8$4-$5"; }
  map $request_id $poll { "~[0-7]$" '${turn('processing')}'; default '${turn('completed', message)}'; }
  server {
    listen 127.0.0.1:${port} ${
      tls
        ? `ssl backlog=1024;
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/key.pem;`
        : 'backlog=1024;'
    }
    listen 127.0.0.1:${http2Port} http2 backlog=1024;
    set $turn "";
    location = /api/partners/v1/tokens { return 201 '{"access_token":"token-$uuid","token_type":"Bearer","expires_in":900}'; }
    location = /api/partners/v1/conversations { return 201 '{"conversation_id":"$uuid","title":"t","created_at":"${at}"}'; }
    location ~ ^/api/partners/v1/conversations/(?<asked>[^/]+)/messages$ { return 202 '{"turn_id":"$uuid","conversation_id":"$asked","status":"queued","created_at":"${at}"}'; }
    location ~ /turns/(.*)$ { set $turn $1; return 200 $poll; }
  }
}
`;

/** Undefined if it is not installed. */
export const nginxVersion = () => versionOf(['nginx', '-v'], /nginx\/([\d.]+)/);

/**
 * Starts nginx if it is installed, otherwise our own server, on one core.
 * @param tls whether it speaks TLS instead of HTTP in the clear. Default false
 * @throws Error if it should and nginx is not installed
 */
export async function startLoadServer(tls = false): Promise<LoadServer> {
  const version = nginxVersion();
  if (version !== undefined) return startNginx(version, tls);
  if (tls) throw new Error('nginx is not installed');
  return startBareServer();
}

async function startNginx(version: string, tls: boolean): Promise<LoadServer> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const [port, http2Port] = [await freePort(), await freePort()];
  const file = (name: string) => join(folder, name);
  writeFileSync(file('nginx.conf'), nginxSettings(folder, [port, http2Port], tls));
  const { key, cert } = selfSigned();
  writeFileSync(file('key.pem'), key);
  writeFileSync(file('certificate.pem'), cert);
  const command = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const child = spawn(...pinned(SERVER_CORE, command), { stdio: ['ignore', 'ignore', 'inherit'] });
  await listening(port);
  return {
    name: `nginx ${version}`,
    port,
    ...(tls ? { ca: file('certificate.pem') } : { http2Port }),
    async close() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startBareServer(): Promise<LoadServer> {
  const { child, port } = await startOwnServer('bare-server.ts');
  return { name: 'a server of our own on node:net', port, close: () => end(child) };
}

/** Starts a server of ours in its own process; the server prints its port. @param file its path from this folder */
export async function startOwnServer(file: string, env = process.env): Promise<{ child: ChildProcess; port: number }> {
  const entry = fileURLToPath(new URL(file, import.meta.url));
  const command = pinned(SERVER_CORE, [process.execPath, '--import', 'jiti/register', entry]);
  const child = spawn(...command, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on port ${port}`);
}
