import { connect } from 'node:net';
import type { SandboxSettings } from '../config.ts';
import { startWithUser } from './http-client.exam.ts';

const limits = { rate: { max: 1_000 } };
export const start = (settings: SandboxSettings) => startWithUser({ limits, control: true, ...settings });

/** Everything that a client receives on one connection. */
export interface Connection {
  readonly text: string;
  readonly ending: 'end' | string;
  readonly lastedMs: number;
}

export interface Leaving {
  /** The connection is closed after this time, with the ending `silence`. */
  readonly afterMs?: number;
  /** It is closed as soon as anything arrives, with the ending `left`. */
  readonly atFirstByte?: boolean;
}

export function talk(
  port: number,
  request: string,
  { afterMs = 20_000, atFirstByte = false }: Leaving = {},
): Promise<Connection> {
  return new Promise((resolve) => {
    const began = performance.now();
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    const finish = (ending: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, ending, lastedMs: performance.now() - began });
    };
    const timer = setTimeout(() => finish('silence'), afterMs);
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      if (atFirstByte) finish('left');
    });
    socket.on('end', () => finish('end')).on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'));
  });
}

export const bodyOf = ({ text }: Connection) => text.slice(text.indexOf('\r\n\r\n') + 4);
export const announced = ({ text }: Connection) => Number(/content-length: (\d+)/i.exec(text)?.[1]);
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await condition()); attempt++) {
    if (attempt > 500) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
