import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiCall, type ApiReply, sandboxProfile } from '../../api/index.ts';
import { type Micros, realClock } from '../../base/index.ts';
import { endsWithConnection } from '../http/answer.ts';
import type { Transport } from '../transport.ts';
import { type RawServer, rawServer } from './raw-server.exam.ts';
import { openUndiciTransport } from './undici.ts';
import { openWireTransport } from './wire.ts';

/*
 * Two independent parsers read the same valid, partly valid and invalid bytes, in one or several pieces. Both must see the same
 * answer, or both refuse; so, too, if a reset follows instead of an end. Permitted differences are listed with their reasons. The failure code, the time of a refusal and the number
 * of received bytes may differ: for an endless header line, wire reports headers-too-large and undici protocol; for an invalid chunk
 * size, wire reports protocol at once and undici may wait for the deadline.
 */

const pick = (...texts: readonly string[]) => fc.constantFrom(...texts);
const statusLine = pick(
  ...Array<string>(4).fill('HTTP/1.1 200 OK'),
  'HTTP/1.1 202 Accepted',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 304 Not Modified',
  'HTTP/1.1 500 ',
  'HTTP/1.1 429',
  'HTTP/1.1 404 Not\tFound',
  'HTTP/2.0 200 OK',
  'HTTP/1.2 200 OK',
  'HTTP/1.1  200 OK',
  'http/1.1 200 OK',
);
const field = pick(
  'content-type: application/json',
  'Content-Type:application/json;charset=utf-8',
  'content-type : application/json',
  'x-y: caf\xe9',
  'x: a\x01b',
  'x: a\r\n b',
  'x:',
  'x',
  ': v',
  'connection: close',
  'connection: keep-alive, close',
  'keep-alive: timeout=5',
  'transfer-encoding: chunked',
  'content-length: 2',
);
const body = pick('', '{}', '{"a":1}', 'text');
const length = fc.record({
  body,
  name: pick('content-length: ', 'Content-Length:\t'),
  off: pick('', '', '', '0', 'x'),
});
const chunk = fc.record({
  body,
  extension: pick('', '', ';e', ';e="q"', '; e', ' '),
  end: pick('0\r\n\r\n', '00\r\nt: v\r\n\r\n', '0\r\nbad\r\n\r\n', '0;e\r\n\r\n'),
  coding: pick('chunked', 'Chunked', 'gzip, chunked', 'identity'),
});
const framed = fc.oneof(
  length.map((given) => `${given.name}${given.body.length}${given.off}\r\n\r\n${given.body}`),
  chunk.map(({ coding, extension, end, ...given }) => {
    const data = given.body === '' ? '' : `${given.body.length.toString(16)}${extension}\r\n${given.body}\r\n`;
    return `transfer-encoding: ${coding}\r\n\r\n${data}${end}`;
  }),
  body.map((given) => `\r\n${given}`),
);
const before = pick(
  '',
  '',
  '',
  '',
  '',
  'HTTP/1.1 103 Early\r\nlink: x\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  '\r\n',
);
const after = pick('', '', '', '', 'x', '\r\n', 'HTTP/1.1 200 OK\r\n\r\n');
const change = fc.record({
  place: fc.nat({ max: 400 }),
  how: fc.constantFrom('delete', 'insert', 'replace', 'cut'),
  by: pick('\r', '\n', ' ', '\0', ':', '0', '\t', '\xff', ',', 'A'),
});

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

function changed(text: string, { place, how, by }: Change): string {
  const at = place % Math.max(1, text.length);
  if (how === 'cut') return text.slice(0, Math.max(1, at));
  return text.slice(0, at) + (how === 'delete' ? '' : by) + text.slice(how === 'insert' ? at : at + 1);
}

const answers = fc
  .record({
    parts: fc.tuple(before, statusLine, fc.array(field, { maxLength: 3 }), framed, after),
    changes: fc.oneof({ weight: 2, arbitrary: fc.constant<Change[]>([]) }, fc.array(change, { maxLength: 2 })),
    cuts: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat({ max: 400 }), { maxLength: 3 })),
    close: fc.constantFrom('end', 'end', 'resetAndDestroy'),
  })
  .map(({ parts: [begin, status, fields, rest, end], changes, cuts, close }) => {
    const text = [begin, [status, ...fields, ''].join('\r\n'), rest, end].join('');
    const wrong = changes.reduce(changed, text);
    const places = [...new Set(cuts.map((cut) => cut % wrong.length))].filter((at) => at > 0).sort((a, b) => a - b);
    return { text: wrong, close, pieces: [0, ...places].map((from, index) => wrong.slice(from, places[index])) };
  });

/** Answers that only wire refuses. */
const refusedByWireAlone: readonly [reason: string, (text: string) => boolean][] = [
  ['HTTP/2 has no such form', (text) => text.includes('HTTP/2.0')],
  ['nothing may stand before a status line', (text) => /^[\r\n]/.test(text)],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  ['a reason is visible text', (text) => /HTTP\/1\.[01] [^\r\n]*[\x00-\x08\x0b-\x1f\x7f]/.test(text)],
  ['no coding but chunked was offered, once', (text) => codingsOf(text).some((coding) => coding !== 'chunked')],
  ['chunked once is enough', (text) => codingsOf(text).length > 1],
  ['HTTP/1.0 knows no codings, 204 no body', (text) => codingsOf(text).length > 0 && /HTTP\/1\.(0|1 204)/.test(text)],
];
const codingsOf = (text: string): string[] =>
  [...text.matchAll(/^transfer-encoding:[ \t]*([^\r\n]*?)[ \t]*\r?$/gim)].map((match) =>
    (match[1] ?? '').toLowerCase(),
  );

/** Answers that only undici refuses. */
const refusedByUndiciAlone: readonly [reason: string, (text: string) => boolean][] = [
  ['the length of a 304 is that of the answer it spares (RFC 9110 section 8.6)', (text) => text.includes(' 304')],
  [
    'a tab may stand after a length or a coding (RFC 9110 section 5.5)',
    (text) => /^(content-length|transfer-encoding):[^\r\n]*\w *\t[ \t]*\r$/im.test(text),
  ],
  // undici closes the socket without calling a handler.
  ['an interim answer may come unasked (RFC 9110 section 15.2)', (text) => /HTTP\/1\.[01] 100/.test(text)],
];

const call: ApiCall = {
  operation: 'readTurn',
  credentials: { kind: 'none' },
  parameters: { turn_id: 't' },
  deadlineUs: 20_000_000 as Micros,
};

let server: RawServer;
let transports: readonly [Transport, Transport];
let pieces: readonly string[] = [];
let closing: 'end' | 'resetAndDestroy' = 'end';

beforeAll(async () => {
  server = await rawServer((socket) => {
    socket.once('data', async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece, 'latin1');
        if (pieces.length > 1) await new Promise((resolve) => setImmediate(resolve));
      }
      socket[closing]();
    });
  });
  const options = { baseUrl: server.url, profile: sandboxProfile(), connections: 1, clock: realClock() };
  transports = [await openWireTransport(options), await openUndiciTransport(options)];
});
afterAll(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  await server.close();
});

const seen = (reply: ApiReply) => {
  if (reply.kind !== 'answer') return undefined;
  const { status, headers, body: read, bodyProblem } = reply;
  return { status, headers, read, bodyProblem };
};

it('reads what undici reads, and refuses what undici refuses', async () => {
  let [runs, read] = [0, 0];
  await fc.assert(
    fc.asyncProperty(answers, async ({ text, close, pieces: cut }) => {
      runs++;
      [pieces, closing] = [cut, close];
      const [wire, undici] = [seen(await transports[0].send(call)), seen(await transports[1].send(call))];
      if (wire && undici) read++;
      if (wire && close !== 'end') expect(endsWithConnection(wire)).toBe(false);
      const reasons = wire === undefined ? refusedByWireAlone : refusedByUndiciAlone;
      const mayDiffer = (wire === undefined) !== (undici === undefined) && reasons.some(([, holds]) => holds(text));
      if (!mayDiffer) expect(wire).toEqual(undici);
    }),
    { numRuns: 1_500, interruptAfterTimeLimit: 12_000 },
  );
  // Ensures that enough answers were accepted. A share, because the number of runs depends on the machine.
  expect(read).toBeGreaterThan(runs / 20);
}, 30_000);
