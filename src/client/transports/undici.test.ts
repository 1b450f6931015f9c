import { expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import { type Clock, type Micros, realClock } from '../../base/index.ts';
import { call } from './exam/setting.exam.ts';
import { answering, jsonAnswer } from './raw-server.exam.ts';
import { transportExam } from './transport.exam.ts';
import { openUndiciTransport } from './undici.ts';

transportExam('undici', openUndiciTransport, {
  'an unasked 100 Continue is passed over':
    'undici takes a 100 that nobody asked for as a broken answer: failed with protocol',
  'a 304 has no body, whatever its length says':
    'undici holds the body, of which a 304 has none, against the length: failed with protocol',
  'a tab may stand after a length': 'a parser without tabs there (llhttp): failed with protocol',
  'a tab may stand after a coding': 'the same parser takes chunks for the body then: failed with protocol',
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
    // In a timer, so that the close is read after the connection was lent and before undici writes.
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

it('a connection that idled long is read before it is lent, so that a close that nobody has read costs no call', async () => {
  const server = await answering(jsonAnswer({}));
  const real = realClock();
  let aheadUs = 0;
  const clock: Clock = {
    now: () => (real.now() + aheadUs) as Micros,
    sleepUntil: (at, signal) => real.sleepUntil(at, signal),
  };
  const transport = await openUndiciTransport({
    baseUrl: server.url,
    profile: sandboxProfile(),
    connections: 1,
    clock,
  });
  const replies = [];
  for (let round = 0; round < 20; round++) {
    // In the turn of the previous reply, so that the close is not read before the next turn of the event loop.
    server.sockets.at(-1)?.end();
    aheadUs += 600_000;
    replies.push(await transport.send(call()));
  }
  await transport.close();
  await server.close();
  expect(replies.map((reply) => [reply.kind, reply.connection])).toEqual(
    replies.map((_, round) => ['answer', round + 1]),
  );
});
