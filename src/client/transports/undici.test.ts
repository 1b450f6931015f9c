import { expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import { realClock } from '../../base/index.ts';
import { answering, jsonAnswer } from './raw-server.exam.ts';
import { call, transportExam } from './transport.exam.ts';
import { openUndiciTransport } from './undici.ts';

transportExam('undici', openUndiciTransport, {
  'an unasked 100 Continue is passed over':
    'undici takes a 100 that nobody asked for as a broken answer: failed with protocol',
});

it('a socket that the server closes in the turn of the next call is replaced before a byte is written', async () => {
  const server = await answering(jsonAnswer({}));
  const transport = await openUndiciTransport({
    baseUrl: server.url,
    profile: sandboxProfile(),
    connections: 1,
    clock: realClock(),
  });
  const replies = [];
  for (let round = 0; round < 20; round++) {
    // From a timer, the close is read after the connection was lent and before undici writes.
    await new Promise((resolve) => setTimeout(resolve, 1));
    server.sockets.at(-1)?.end();
    replies.push(await transport.send(call({ body: { round } })));
  }
  await transport.close();
  await server.close();
  expect(replies.map((reply) => [reply.kind, reply.connection])).toEqual(
    replies.map((_, round) => ['answer', round + 1]),
  );
  const rounds = [...server.received().matchAll(/{"round":(\d+)}/g)].map((match) => Number(match[1]));
  expect(rounds).toEqual(replies.map((_, round) => round));
});
