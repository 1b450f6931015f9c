import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** `_httpMessage` is the response that Node is sending on the socket. Node checks it, too, before it answers malformed input. */
export type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Calls `act` once every earlier request of the connection has been answered; never if the connection ends before. Node does not
 * keep this order for upgrade requests: without it, their answer could overtake the earlier ones or wait forever.
 */
export function afterEarlierAnswers(socket: HttpSocket, act: () => void): void {
  const busyWith = socket._httpMessage;
  if (busyWith) busyWith.once('close', () => afterEarlierAnswers(socket, act));
  else if (socket.writable) act();
}

/** Whether the request that is being answered was received completely, so that further bytes do not belong to its body. */
export const isAnsweringWhole = ({ _httpMessage }: HttpSocket): boolean => _httpMessage?.req.complete === true;

const waiting = new WeakSet<HttpSocket>();

/** Calls `act` after the current answer, unless that ends the connection. Only once per answer, because malformed input may come in many pieces. */
export function afterThisAnswer(socket: HttpSocket, act: () => void): void {
  if (waiting.has(socket)) return;
  waiting.add(socket);
  socket._httpMessage?.once('close', () => {
    waiting.delete(socket);
    if (socket.writable) act();
  });
}
