import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConversationRequest, SendMessageRequest, TokenRequest } from '../../api/index.ts';
import { componentSchemas } from './schemas.ts';

const schemas = componentSchemas();
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const agree = (name: string, shape: { safeParse(value: unknown): { success: boolean } }, value: object) => {
  const byDocument = ajv.validate(schemas[name] ?? false, value);
  expect([name, shape.safeParse(value).success]).toEqual([name, byDocument]);
  return byDocument;
};

/** Texts about as long as the longest: of letters, of characters that take two code units, and of halves of such. */
const textAround = (most: number) =>
  fc
    .tuple(fc.integer({ min: -1, max: 1 }), fc.array(fc.constantFrom('x', 'é', '漢', '😀', '\ud83d', '\ude00')))
    .map(([more, [first = 'x', ...rest]]) => {
      const pieces = [first, ...rest];
      const text = Array.from({ length: most + more }, (_, i) => pieces[i % pieces.length]).join('');
      return text;
    });

describe('the length of a text', () => {
  it('is counted in code points, by the document and by the service', () => {
    const smile = '😀';
    const titles = ['x'.repeat(255), 'x'.repeat(256), smile.repeat(255), smile.repeat(256), `${smile.repeat(254)}x`];
    expect(titles.map((title) => agree('ConversationRequest', ConversationRequest, { title }))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('is the same to both, whatever the text and its member', () => {
    fc.assert(
      fc.property(textAround(255), textAround(128), textAround(8_000), (short, id, long) => {
        agree('ConversationRequest', ConversationRequest, { title: short });
        agree('TokenRequest', TokenRequest, { external_user_id: short });
        agree('SendMessageRequest', SendMessageRequest, { client_message_id: id, message: long });
        for (const member of ['city', 'commune']) {
          const location = { [member]: short };
          agree('SendMessageRequest', SendMessageRequest, { client_message_id: 'm', message: 'x', location });
        }
      }),
      { numRuns: 50 },
    );
  });
});
