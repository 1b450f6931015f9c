import type { Transport, TransportOptions } from '../transport.ts';
import { openUndiciTransport } from './undici.ts';
import { openWireTransport } from './wire.ts';

/** `auto` takes `wire` wherever it is at home: HTTP/1.1 straight to the service, plain or over TLS. */
export type TransportChoice = 'auto' | 'wire' | 'undici';

/** @throws SpillwayError TARGET_ADDRESS_INVALID, CA_INVALID */
export function openTransport(choice: TransportChoice, options: TransportOptions): Promise<Transport> {
  const chosen = choice === 'auto' ? (options.proxy === undefined ? 'wire' : 'undici') : choice;
  return chosen === 'wire' ? openWireTransport(options) : openUndiciTransport(options);
}
