import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { answered } from './answered.exam.ts';
import { echoGuard } from './echo-guard.ts';

const SECRET = 'ab/Abcdefghijklmnop+"é';
const GIVEN = 'given-7f1d2c3b-token';
const TOKEN = 'abcdefgh0123/given-8a9b';
const call = { operation: 'sendMessage', credentials: { kind: 'bearer', token: TOKEN } } as const;

const guardOf = () => {
  const basic = { kind: 'basic', clientId: 'ab', clientSecret: SECRET } as const;
  const guard = echoGuard([basic]);
  guard.reply({ operation: 'issueToken', credentials: basic }, answered(201, { access_token: GIVEN }, {}));
  return guard;
};

/** Of which texts are made that hold much of the secrets, or nearly. */
const PIECES = [
  ...[SECRET, TOKEN, GIVEN, encodeURIComponent(SECRET), JSON.stringify(SECRET), Buffer.from(SECRET).toString('base64')],
  ...[
    'ab',
    '/',
    '%2F',
    '&',
    '&#47',
    '+',
    ' ',
    '\\',
    '"',
    'é',
    'Ã©',
    'Ж',
    'Abcdefgh',
    'ijklmnop',
    'given-7f',
    '1d2c3b-t',
    '0123',
  ],
];

describe('an answer that is cleaned', () => {
  it('is the same as if each of its texts were searched separately', () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));
    const guard = guardOf();
    fc.assert(
      fc.property(text, text, text, (one, other, third) => {
        const alone = (of: string) => guard.text(call, of);
        const said = answered(500, { error: { code: third, details: [one] } }, { 'x-one': one, 'x-other': other });
        expect(guard.reply(call, said)).toEqual(
          answered(
            500,
            { error: { code: alone(third), details: [alone(one)] } },
            { 'x-one': alone(one), 'x-other': alone(other) },
          ),
        );
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('keeps its headers object if nothing is found, because readers recognize it', () => {
    const said = answered(429, { error: { code: 'rate_limited' } }, { 'retry-after': '17' });
    const clean = guardOf().reply({ ...call, body: { message: 'How are you today?' } }, said);
    expect(clean).toEqual(said);
    expect(clean).toHaveProperty('headers', said.kind === 'answer' ? said.headers : undefined);
    expect((clean as { headers: unknown }).headers).toBe((said as { headers: unknown }).headers);
  });

  it('keeps no more of a long text than the journal could, and always its error code', () => {
    const long = 'ab%20cd &amp; '.repeat(300_000);
    const others = Array.from({ length: 20 }, () => long);
    const error = { details: others, message: long, retryable: true, code: `C-${TOKEN}` };
    const clean = guardOf().reply(call, answered(500, { error }, {})) as { body: { error: typeof error } };
    const kept = clean.body.error;
    expect(kept).toMatchObject({ retryable: true, code: 'C-[redacted]', message: long.slice(0, 4_096) });
    expect(kept.details.map(({ length }) => length).filter((length) => length > 0)).toEqual([
      ...Array.from({ length: 2 }, () => 4_096),
      16_384 - 3 * 4_096 - `C-${TOKEN}`.length,
    ]);
    expect(kept.details).toHaveLength(20);
  });
});
