import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApiCall } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { queryOf } from '../http/request.ts';
import { secretsOfProxy, targetOf } from '../http/target.ts';
import { RequestWriter } from './request-text.ts';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.stringMatching(/^[\w "\\-]{0,20}$/));
const bodies = fc.oneof(
  fc.record({ client_message_id: text, message: text }),
  fc.record({ message: text, client_message_id: text }),
  fc.record({ client_message_id: text, message: text, location: fc.record({ city: text }) }),
  fc.record({ client_message_id: text, message: text, more: fc.jsonValue() }),
  fc.record({ message: text }),
  fc.dictionary(text, fc.jsonValue()),
);
const calls = fc.record({
  operation: fc.constantFrom('sendMessage', 'createConversation', 'rateAnswer'),
  conversation: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  body: bodies,
  token: fc.stringMatching(/^[\w-]{1,20}$/),
});

it('writes head and body of any call, with the length of the body in bytes', () => {
  const writer = new RequestWriter(targetOf('http://127.0.0.1:8080/prefix'), '');
  fc.assert(
    fc.property(calls, ({ operation, conversation, body, token }) => {
      const call = {
        operation,
        credentials: { kind: 'bearer', token },
        parameters: { conversation_id: conversation, message_id: conversation },
        body,
        deadlineUs: 1 as Micros,
      } as ApiCall;
      const bytes = Buffer.from(writer.write(call) ?? '', 'latin1');
      const end = bytes.indexOf('\r\n\r\n') + 4;
      const [line = '', ...fields] = bytes.toString('latin1', 0, end - 4).split('\r\n');
      const headers = Object.fromEntries(fields.map((field) => field.split(': ')));
      expect(line).toMatch(/^POST \/prefix\/api\/partners\/v1\/[\w/.~!'()*%-]+ HTTP\/1\.1$/);
      if (operation !== 'createConversation') expect(decodeURIComponent(line.split('/')[6] ?? '')).toBe(conversation);
      expect(headers).toMatchObject({ host: '127.0.0.1:8080', authorization: `Bearer ${token}` });
      expect(headers['content-length']).toBe(String(bytes.length - end));
      expect(JSON.parse(bytes.toString('utf8', end))).toEqual(JSON.parse(JSON.stringify(body)));
    }),
    { numRuns: 500 },
  );
});

const segment = fc.constantFrom('a', 'b');
const callsOfOne = fc.record({
  operation: fc.constantFrom('readHistory', 'readTurn', 'sendMessage', 'createConversation', 'rateAnswer'),
  parameters: fc.record({ conversation_id: segment, message_id: segment, turn_id: segment }),
  query: fc.constantFrom(undefined, { limit: '1' }, { limit: '2' }),
});

it('writes the same, whatever its user has called before', () => {
  fc.assert(
    fc.property(fc.array(callsOfOne, { minLength: 5, maxLength: 20 }), (made) => {
      const one = { kind: 'bearer', token: 't1' };
      const writer = new RequestWriter(targetOf('http://127.0.0.1:8080'), '');
      for (const { operation, parameters, query } of made) {
        const hasBody = operation !== 'readHistory' && operation !== 'readTurn';
        const call = { operation, parameters, deadlineUs: 1 as Micros, ...(hasBody && { body: {} }) };
        const asked = { ...call, ...(operation === 'readHistory' && query && { query }) };
        const other = new RequestWriter(targetOf('http://127.0.0.1:8080'), '');
        expect(writer.write({ ...asked, credentials: one } as ApiCall)).toBe(
          other.write({ ...asked, credentials: { ...one, prepared: undefined } } as ApiCall),
        );
      }
    }),
  );
});

it('a query of no parameters leaves no question mark', () => {
  expect([queryOf({}), queryOf({ limit: 1, offset: 2 })]).toEqual(['', '?limit=1&offset=2']);
});

it('an address that is none, or of another scheme, is refused', () => {
  for (const address of ['api.example.com', 'ftp://api.example.com'])
    expect(() => targetOf(address)).toThrow(
      'the base address is not an http or https address; write for example https://api.example.com',
    );
});

it('an address with a query or a fragment is refused', () => {
  for (const address of ['http://api.example.com/v?key=1', 'http://api.example.com/#v'])
    expect(() => targetOf(address)).toThrow('the base address has a query or a fragment');
});

it('an address with credentials is refused, and not quoted', () => {
  for (const address of [
    'http://user@api.example.com',
    'http://user:hunter2@api.example.com',
    'http://:hunter2@a.example',
  ])
    expect(() => targetOf(address)).toThrow(
      /^the base address holds credentials; give them in environment variables, as the profile says$/,
    );
});

it('credentials in the address of a proxy that are not percent-encoded are refused, and not quoted', () => {
  const problem = 'the credentials in the address of the proxy are not percent-encoded; write % as %25, @ as %40';
  expect(() => targetOf('http://127.0.0.1:8080', 'http://user:50%off@127.0.0.1:3128')).toThrow(problem);
});

it('a password in the address of a proxy is sent and secret, even without a user', () => {
  const proxy = 'http://:hunter2@127.0.0.1:3128';
  const authorization = `Basic ${Buffer.from(':hunter2').toString('base64')}`;
  expect(targetOf('http://127.0.0.1:8080', proxy).proxy).toMatchObject({ authorization });
  expect(secretsOfProxy(proxy)).toEqual(['hunter2', ':hunter2']);
});
