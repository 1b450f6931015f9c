import { expect, it } from 'vitest';
import { type ApiCall, type ApiReply, sandboxProfile } from '../../../api/index.ts';
import { type Micros, realClock } from '../../../base/index.ts';
import { closedAfterEach } from '../../../testing/closing.ts';
import type { Lease, Transport, TransportOptions } from '../../transport.ts';
import type { RawServer } from '../raw-server.exam.ts';

export type OpenTransport = (options: TransportOptions) => Promise<Transport>;

/** Cases that a transport fails: the title of the case, with the reason. */
export type Exceptions = Readonly<Record<string, string>>;

export const SECRET = 'hunter2-never-shown';
export const TOKEN = 'opaque-token-never-shown';
export const TEXT = 'a message text that stays at home';
export const clock = realClock();
export const ms = (value: number) => (value * 1_000) as Micros;
/** A deadline that passes, but not before what the server sends at once has arrived, also on a busy machine. */
export const SOON = ms(500);

/** A sendMessage with all kinds of content that must not leak. */
export const call = (over: Partial<ApiCall> = {}): ApiCall => ({
  operation: 'sendMessage',
  credentials: { kind: 'bearer', token: TOKEN },
  parameters: { conversation_id: 'c 1/2' },
  body: { client_message_id: 'm1', message: TEXT },
  deadlineUs: ms(5_000),
  ...over,
});

/** Waits until this many connections were closed because of unrequested bytes. @returns their number */
export async function unaskedOn(transport: Transport, wanted: number): Promise<number> {
  let unasked = 0;
  await expect.poll(() => (unasked += transport.takeUnasked().length)).toBe(wanted);
  return unasked;
}

/** Sends on a lease. @returns the reply */
export const sent = (lease: Lease | undefined, over: Partial<ApiCall> = {}, signal?: AbortSignal) =>
  new Promise<ApiReply>((done, fail) => (lease ? lease.send(call(over), signal, done) : fail(new Error('no lease'))));

/** Helpers for the cases of an exam. Servers and transports are closed after each case. */
export interface Setting {
  readonly open: OpenTransport;
  kept<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T>;
  to(baseUrl: string, over?: Partial<TransportOptions>): Promise<Transport>;
  against(
    server: Promise<RawServer>,
    over?: Partial<TransportOptions>,
  ): Promise<{ readonly server: RawServer; readonly transport: Transport }>;
  test(title: string, run: () => Promise<void>): void;
}

export function settingOf(open: OpenTransport, exceptions: Exceptions): Setting {
  const kept = closedAfterEach();
  const to = (baseUrl: string, over: Partial<TransportOptions> = {}) =>
    kept(open({ baseUrl, profile: sandboxProfile(), connections: 4, clock, ...over }));
  const against = async (server: Promise<RawServer>, over: Partial<TransportOptions> = {}) => {
    const running = await kept(server);
    return { server: running, transport: await to(running.url, over) };
  };
  const test = (title: string, run: () => Promise<void>) => {
    // A case in `exceptions` must fail. Once it passes, its entry must be removed.
    if (title in exceptions) it.fails(`${title} (${exceptions[title]})`, run);
    else it(title, run);
  };
  return { open, kept, to, against, test };
}
