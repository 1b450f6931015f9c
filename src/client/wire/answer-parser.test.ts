import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { viewOf } from '../http/answer.ts';
import { AnswerParser, type Progress } from './answer-parser.ts';
import { HeadMemory } from './head-memory.ts';

const LIMIT = 1_000;

interface Read {
  readonly progress: Progress;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes after the answer. */
  readonly left?: number;
}

/** Parses pieces, each from a buffer that is overwritten afterwards, like that of a socket. */
function read(pieces: readonly string[], { ends = true, memory = new HeadMemory() } = {}): Read {
  const parser = new AnswerParser(LIMIT);
  parser.begin(memory);
  const shared = Buffer.alloc(200_000);
  for (const [index, piece] of pieces.entries()) {
    const length = shared.write(piece, 'latin1');
    const progress = parser.read(shared, length);
    const left = length - parser.taken + pieces.slice(index + 1).join('').length;
    const result = progress === 'more' ? undefined : resultOf(parser, progress, left);
    shared.fill('#');
    if (result) return result;
  }
  return resultOf(parser, ends && parser.end() ? 'done' : 'more', 0);
}

function resultOf(parser: AnswerParser, progress: Progress, left: number): Read {
  const { head } = parser;
  if (progress !== 'done' || !head) return { progress };
  return { progress, status: head.status, headers: head.headers, body: viewOf(parser.body()).toString('latin1'), left };
}

const json = 'content-type: application/json\r\n';
const right: Readonly<Record<string, string>> = {
  'with a length': `HTTP/1.1 200 OK\r\n${json}content-length: 7\r\n\r\n{"a":1}`,
  'of no length': 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'in chunks': `HTTP/1.1 200 OK\r\n${json}transfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\nt: v\r\n\r\n`,
  'until the end': 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nall of it',
  'of HTTP/1.0': 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok',
  'with zeros before its length': `HTTP/1.1 200 OK\r\ncontent-length: ${'0'.repeat(20)}2\r\n\r\nok`,
  'in chunks with quoted extensions':
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;a="x\\"y\\\\"\r\nok\r\n0\r\n\r\n',
  'with a tab after its length': 'HTTP/1.1 200 OK\r\ncontent-length: 2 \t\r\n\r\nok',
  'without a body': 'HTTP/1.1 204 No Content\r\nx-y: z\r\n\r\n',
  'not modified': 'HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n',
  'after interim ones': `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 202 \r\ncontent-length: 1\r\n\r\nx`,
  'with its next one': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n',
};

const wrong: Readonly<Record<string, string>> = {
  'both a length and a coding':
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok',
  'two equal lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok',
  'a list of lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\n\r\nok',
  'a signed length': 'HTTP/1.1 200 OK\r\ncontent-length: +2\r\n\r\nok',
  'a hexadecimal length': 'HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\nok',
  'a length beyond numbers': `HTTP/1.1 200 OK\r\ncontent-length: 1${'0'.repeat(20)}\r\n\r\nok`,
  'an empty length': 'HTTP/1.1 200 OK\r\ncontent-length:\r\n\r\nok',
  'another coding': 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'chunks twice': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'chunks in HTTP/1.0': 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'a folded line': 'HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 0\r\n\r\n',
  'bare LF': 'HTTP/1.1 200 OK\ncontent-length: 0\n\n',
  'bare LF in the headers': 'HTTP/1.1 200 OK\r\nx: a\ncontent-length: 0\r\n\r\n',
  'bare CR in a value': 'HTTP/1.1 200 OK\r\nx: a\rb\r\ncontent-length: 0\r\n\r\n',
  'NUL in the reason': 'HTTP/1.1 200 O\0K\r\ncontent-length: 0\r\n\r\n',
  'NUL in a value': 'HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n',
  'space before the colon': 'HTTP/1.1 200 OK\r\ncontent-length : 0\r\n\r\n',
  'no name': 'HTTP/1.1 200 OK\r\n: v\r\n\r\n',
  'no colon': 'HTTP/1.1 200 OK\r\nx\r\n\r\n',
  'a line before the status': '\r\nHTTP/1.1 200 OK\r\n\r\n',
  'HTTP/2': 'HTTP/2.0 200 OK\r\n\r\n',
  'a status with a character before the digits': 'HTTP/1.1 2/0 OK\r\ncontent-length: 0\r\n\r\n',
  'a status with a character after the digits': 'HTTP/1.1 2:0 OK\r\ncontent-length: 0\r\n\r\n',
  'two digits of a status': 'HTTP/1.1 20 OK\r\n\r\n',
  'an interim answer of HTTP/1.0': 'HTTP/1.0 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
  'a status below 100': 'HTTP/1.1 099 OK\r\n\r\n',
  'a switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
  'a body where none may be': 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok',
  'no size of a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\n',
  'a signed size': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n+2\r\nok\r\n0\r\n\r\n',
  'a space after a size': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2 \r\nok\r\n0\r\n\r\n',
  'a size beyond numbers': `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1${'0'.repeat(16)}\r\n`,
  'a longer chunk than its size': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n',
  'a bad trailer': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nbad\r\n\r\n',
};

const cutAt = (text: string, places: readonly number[]): string[] =>
  [0, ...places].map((from, index) => text.slice(from, places[index]));

describe('an answer', () => {
  it.each(Object.entries(right))('%s is the same however it is cut', (_, answer) => {
    const whole = read([answer]);
    expect(whole.progress).toBe('done');
    for (let place = 1; place < answer.length; place++) expect(read(cutAt(answer, [place]))).toEqual(whole);
    expect(read([...answer])).toEqual(whole);
    const random = seededRandom(7, answer);
    for (let round = 0; round < 50; round++) {
      const places = Array.from({ length: 4 }, () => random.integer(answer.length)).sort((a, b) => a - b);
      expect(read(cutAt(answer, places))).toEqual(whole);
    }
  });

  it.each(Object.entries(wrong))('with %s is refused however it is cut', (_, answer) => {
    expect(read([answer])).toEqual({ progress: 'protocol' });
    for (let place = 1; place < answer.length; place++)
      expect(read(cutAt(answer, [place]))).toEqual({ progress: 'protocol' });
    expect(read([...answer])).toEqual({ progress: 'protocol' });
  });

  it.each(Object.entries(right))('%s that breaks off is not whole', (_, answer) => {
    const begin = answer.indexOf('\r\n\r\n');
    for (let length = 0; length < begin + 3; length++)
      expect(read([answer.slice(0, length)])).toEqual({ progress: 'more' });
  });

  it('holds what it says', () => {
    expect(read([right['in chunks'] ?? ''])).toEqual({
      progress: 'done',
      status: 200,
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: '{"a":1}',
      left: 0,
    });
    expect(read([right['after interim ones'] ?? ''])).toMatchObject({ status: 202, body: 'x' });
    expect(read([right['with its next one'] ?? ''])).toMatchObject({ body: 'ok', left: 19 });
    expect(read([right['not modified'] ?? ''])).toMatchObject({ status: 304, body: '' });
    const repeated = 'HTTP/1.1 200 OK\r\nX: a\r\nx:\tb \r\n__proto__: c\r\nContent-Length: 0\r\n\r\n';
    expect(Object.entries(read([repeated]).headers ?? {})).toEqual([
      ['x', 'a, b'],
      ['__proto__', 'c'],
      ['content-length', '0'],
    ]);
  });

  it.each([
    ['HTTP/1.1 200 OK\r\n', true],
    ['HTTP/1.1 200 OK\r\nconnection: Upgrade, Close\r\n', false],
    ['HTTP/1.1 200 OK\r\nconnection: closed\r\n', true],
    ['HTTP/1.0 200 OK\r\n', false],
    ['HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\n', true],
    ['HTTP/1.0 200 OK\r\nconnection: keep-alive, close\r\n', false],
  ])('%j keeps its connection: %j', (head, isKeptAlive) => {
    const parser = new AnswerParser(LIMIT);
    parser.begin(new HeadMemory());
    const bytes = Buffer.from(`${head}content-length: 0\r\n\r\n`);
    expect(parser.read(bytes, bytes.length)).toBe('done');
    expect(parser.head?.isKeptAlive).toBe(isKeptAlive);
  });

  it('may have any number of chunks: their sizes are bounded for each, not together', () => {
    const chunks = '1\r\nx\r\n'.repeat(LIMIT);
    const extended = `1;${'x'.repeat(200)}\r\nx\r\n`.repeat(LIMIT / 2);
    for (const [text, length] of [
      [chunks, LIMIT],
      [extended, LIMIT / 2],
    ] as const)
      expect(read([`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${text}0\r\n\r\n`]).body).toHaveLength(length);
  });

  it('is rejected at its first wrong byte', () => {
    expect(read(['SSH-2.0'])).toEqual({ progress: 'protocol' });
    expect(read(['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nokX'])).toEqual({ progress: 'protocol' });
    expect(read(['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx'])).toEqual({ progress: 'protocol' });
  });
});

describe('bounds', () => {
  const long = 'x'.repeat(20_000);

  it.each([
    ['one endless line', 'HTTP/1.1 200 OK\r\nx: ', long],
    ['endless lines', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(4_000)],
    ['an endless status line', 'HTTP/1.1 200 ', long],
    ['endless interim answers', 'HTTP/1.1 103 \r\n\r\n', 'HTTP/1.1 103 \r\n\r\n'.repeat(2_000)],
    ['endless trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'x: y\r\n'.repeat(4_000)],
    ['an endless extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `1;${long}`],
  ])('headers: %s', (_, begin, rest) => {
    expect(read([begin, rest])).toEqual({ progress: 'headers-too-large' });
    expect(read([begin, ...(rest.match(/.{1,97}/gs) ?? [])])).toEqual({ progress: 'headers-too-large' });
  });

  it('body: refused by its announced length, before its first byte arrives', () => {
    expect(read([`HTTP/1.1 200 OK\r\ncontent-length: ${LIMIT + 1}\r\n\r\n`])).toEqual({ progress: 'answer-too-large' });
    expect(read([`HTTP/1.1 200 OK\r\ncontent-length: ${LIMIT}\r\n\r\n${'x'.repeat(LIMIT)}`]).body).toHaveLength(LIMIT);
  });

  it('body: refused by an announced chunk size that exceeds the limit, alone or with the chunks before', () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const half = `1f4\r\n${'x'.repeat(500)}\r\n`;
    expect(read([`${head}3e9\r\n`])).toEqual({ progress: 'answer-too-large' });
    expect(read([`${head}ffffffffffff\r\n`])).toEqual({ progress: 'answer-too-large' });
    expect(read([`${head}${half}`, '1f5\r\n'])).toEqual({ progress: 'answer-too-large' });
    expect(read([`${head}${half}`, `1f4\r\n${'x'.repeat(500)}\r\n0\r\n\r\n`]).body).toHaveLength(LIMIT);
  });

  it('body: refused at the first byte above the limit, chunked or delimited by the end of the connection', () => {
    const head = 'HTTP/1.1 200 OK\r\n';
    const chunk = `3e8\r\n${'x'.repeat(LIMIT)}\r\n`;
    expect(read([`${head}transfer-encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`]).body).toHaveLength(LIMIT);
    expect(read([`${head}transfer-encoding: chunked\r\n\r\n${chunk}1\r\nx`])).toEqual({ progress: 'answer-too-large' });
    expect(read([`${head}\r\n${'x'.repeat(LIMIT)}`]).body).toHaveLength(LIMIT);
    expect(read([`${head}\r\n${'x'.repeat(LIMIT)}`, 'x'])).toEqual({ progress: 'answer-too-large' });
  });
});

describe('the memory of heads', () => {
  it('gives the same head for the same bytes, and reads every other one', () => {
    const memory = new HeadMemory();
    const answer = (extra: string, body: string) =>
      `HTTP/1.1 200 OK\r\n${extra}content-length: ${body.length}\r\n\r\n${body}`;
    const first = read([answer('x: a\r\n', 'ok')], { memory });
    const again = read([answer('x: a\r\n', 'no')], { memory });
    expect(again.headers).toBe(first.headers);
    expect([first.body, again.body]).toEqual(['ok', 'no']);
    expect(read([answer('x: b\r\n', 'ok')], { memory }).headers).toEqual({ x: 'b', 'content-length': '2' });
    expect(read([answer('x: b\r\n', 'long')], { memory })).toMatchObject({ body: 'long' });
    // Answers in pieces are not remembered; they must be parsed correctly.
    expect(read([...answer('x: b\r\n', 'long')], { memory })).toMatchObject({ body: 'long' });
    expect(read([answer('x: b\r\n', 'long').slice(0, 20)], { memory })).toEqual({ progress: 'more' });
  });

  it('keeps the last four', () => {
    const memory = new HeadMemory();
    const answerOf = (nth: number) => `HTTP/1.1 200 OK\r\nx: ${nth}\r\ncontent-length: 0\r\n\r\n`;
    const knows = (nth: number) => memory.find(Buffer.from(answerOf(nth)), answerOf(nth).length) !== undefined;
    for (let nth = 0; nth < 6; nth++) read([answerOf(nth)], { memory });
    expect([0, 1, 2, 3, 4, 5].map(knows)).toEqual([false, false, true, true, true, true]);
  });

  it('holds no head of which some bytes came before: without them, it is none', () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
    for (let at = 1; at < answer.length; at++) {
      const memory = new HeadMemory();
      const [begin, rest] = [answer.slice(0, at), answer.slice(at)];
      expect(read([begin, rest], { memory }).progress).toBe('done');
      expect(memory.find(Buffer.from(rest), rest.length)).toBeUndefined();
    }
  });

  it('is not misled by a head that goes on', () => {
    const memory = new HeadMemory();
    read(['HTTP/1.1 200 OK\r\n\r\n'], { memory });
    expect(read(['HTTP/1.1 200 OK\r\nx: y\r\n\r\n'], { memory }).headers).toEqual({ x: 'y' });
  });
});
