import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Node keeps the answer that a socket is busy with here, and asks the same before it answers garbage itself. */
export type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Acts once every earlier request of the connection has been answered, and never if that ends it. Of a request that asks for an
 * upgrade Node does not see to that: its answer would overtake theirs, or wait for ever.
 */
export function afterEarlierAnswers(socket: HttpSocket, act: () => void): void {
  const busyWith = socket._httpMessage;
  if (busyWith) busyWith.once('close', () => afterEarlierAnswers(socket, act));
  else if (socket.writable) act();
}

/** Whether the request that is being answered has come to its end: what comes now is not its body. */
export const isAnsweringWhole = ({ _httpMessage }: HttpSocket): boolean => _httpMessage?.req.complete === true;

const waiting = new WeakSet<HttpSocket>();

/** Acts once after the answer that the socket is busy with, unless that ends the connection; once however often it is asked to: garbage may come in many pieces. */
export function afterThisAnswer(socket: HttpSocket, act: () => void): void {
  if (waiting.has(socket)) return;
  waiting.add(socket);
  socket._httpMessage?.once('close', () => {
    waiting.delete(socket);
    if (socket.writable) act();
  });
}
