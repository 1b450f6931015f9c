import { type OpenedSocket, usesAbsoluteForm } from '../sockets/opener.ts';
import type { Transport, TransportOptions } from '../transport.ts';
import { AnswerMemories } from '../wire/answer-memories.ts';
import { WireConnection, type WireSettings } from '../wire/connection.ts';
import { RequestWriter } from '../wire/request-text.ts';
import { Watch } from '../wire/watch.ts';
import { type ConnectionSettings, PooledTransport } from './pooled.ts';

/** Larger than any answer of the API; a longer one takes several reads. */
const READ_BYTES = 64 * 1_024;

/**
 * The transport made for load: HTTP/1.1 over node:net and node:tls, requests prepared once per operation and user, its own strict
 * parser, one timer and one listener for all requests. Costs a fraction of undici.
 * @throws SpillwayError TARGET_ADDRESS_INVALID, CA_INVALID
 */
export async function openWireTransport(options: TransportOptions): Promise<Transport> {
  return new PooledTransport(
    { name: 'wire', readBuffer: Buffer.allocUnsafeSlow(READ_BYTES), connector: connectorFor },
    options,
  );
}

function connectorFor({
  clock,
  maxAnswerBytes,
  target,
  headers,
  onUnasked,
}: ConnectionSettings): (opened: OpenedSocket) => WireConnection {
  const settings: WireSettings = {
    clock,
    maxAnswerBytes,
    onUnasked,
    requests: new RequestWriter(target, usesAbsoluteForm(target) ? target.origin : '', headers),
    watch: new Watch(clock),
    memories: new AnswerMemories(),
  };
  return (opened) => new WireConnection(opened, settings);
}
