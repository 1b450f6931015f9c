import { randomUUID } from 'node:crypto';
import { rawAnswer, serveRaw } from './raw-requests.ts';

/*
 * A service with fixed answers on bare sockets, for machines without nginx. It does as little work as possible on Node, so that the
 * generator is measured. Every message gets its own turn; every other poll finds it completed. Prints its port.
 */

const at = '2026-01-01T00:00:00.000Z';
const conversation = '0190a1b2-0000-4000-8000-000000000001';
const turn = (id: string, status: string, more = '') =>
  `{"turn_id":"${id}","conversation_id":"${conversation}","status":"${status}","created_at":"${at}","updated_at":"${at}"${more}}`;
const message = `,"message":{"conversation_id":"${conversation}","user_message_id":"${conversation}","assistant_message_id":"${conversation}","answer":"Open from 9 to 17.","response_type":"text","cards":[],"visualizations":[],"sources":[],"suggested_actions":[],"metadata":{"latency_ms":12}}`;

let polls = 0;

function answerTo(line: string): string {
  const [method = '', path = ''] = line.split(' ', 2);
  if (path.endsWith('/tokens'))
    return rawAnswer('201 Created', `{"access_token":"token-${randomUUID()}","token_type":"Bearer","expires_in":900}`);
  if (method === 'GET') {
    const id = path.slice(path.lastIndexOf('/') + 1);
    return rawAnswer('200 OK', polls++ % 2 === 0 ? turn(id, 'processing') : turn(id, 'completed', message));
  }
  if (path.endsWith('/messages'))
    return rawAnswer(
      '202 Accepted',
      `{"turn_id":"${randomUUID()}","conversation_id":"${path.split('/').at(-2)}","status":"queued","created_at":"${at}"}`,
    );
  return rawAnswer('201 Created', `{"conversation_id":"${conversation}","title":"t","created_at":"${at}"}`);
}

serveRaw((socket, line) => socket.write(answerTo(line), 'latin1'));
