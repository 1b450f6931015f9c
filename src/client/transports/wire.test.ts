import { expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import { realClock } from '../../base/index.ts';
import { call } from './exam/setting.exam.ts';
import { answering, jsonAnswer } from './raw-server.exam.ts';
import { transportExam } from './transport.exam.ts';
import { openWireTransport } from './wire.ts';

transportExam('wire', openWireTransport);

it('counts no bytes that come after an answer', async () => {
  const answer = jsonAnswer({ a: 1 });
  const server = await answering(`${answer}HTTP/1.1 200 OK\r\n`);
  const transport = await openWireTransport({
    baseUrl: server.url,
    profile: sandboxProfile(),
    connections: 1,
    clock: realClock(),
  });
  const reply = await transport.send(call());
  await transport.close();
  await server.close();
  expect([reply.kind, reply.bytes.received]).toEqual(['answer', answer.length]);
});
