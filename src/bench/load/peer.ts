import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finished } from '../processes.ts';
import { originOf } from './load-server.ts';
import { peerRequest } from './load-workloads.ts';

export interface PeerLoad {
  readonly port: number;
  /** Absent if the server does not speak HTTP/2. */
  readonly http2Port?: number;
  /** File with the authority of the server's certificate; absent if it does not speak TLS. */
  readonly ca?: string;
  readonly connections: number;
  readonly warmUp: number;
  readonly seconds: number;
}

export interface Rate {
  readonly requests: number;
  /** Duration; undefined if it cannot be separated from start and end of the program. */
  readonly seconds: number | undefined;
  /** User and system time of the generator; undefined if the machine does not report it. */
  readonly cpuSeconds: number | undefined;
}

/** Another load generator, which sends the same request as fast as it can. */
export interface Peer {
  readonly name: string;
  /** Undefined if it is not installed. */
  version(): string | undefined;
  readonly install: string;
  run(load: PeerLoad): Promise<Rate>;
}

const { path, headers } = peerRequest;
export const url = (load: Pick<PeerLoad, 'port' | 'ca'>) => `${originOf(load)}${path}`;
/** For generators that check certificates and cannot be told whom to trust. */
export const unchecked = ({ ca }: PeerLoad, flag: string) => (ca === undefined ? [] : [flag]);
/** The headers as arguments. @param flag precedes each */
export const headerFlags = (flag: string) =>
  Object.entries(headers).flatMap(([name, value]) => [flag, `${name}: ${value}`]);

/** Calls `use` with a temporary file. */
export async function withFile<T>(name: string, content: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    writeFileSync(join(folder, name), content);
    return await use(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The number in an output. @throws Error if the output does not match */
export function read(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${pattern.source} in: ${text.slice(0, 500)}`);
  return Number(found);
}

export const rate = ({ seconds, cpuSeconds }: Finished, requests: number): Rate => ({ requests, seconds, cpuSeconds });
