import { describe, expect, it } from 'vitest';
import { answered } from './answered.exam.ts';
import { echoGuard } from './echo-guard.ts';

const MESSAGE = 'privatetext99 my illness';
const credentials = { kind: 'bearer', token: 'token-7f1d2c3b4a594687' } as const;

const hex = (text: string): string => Buffer.from(text).toString('hex');

const said = (body: unknown, echoed: string, options?: Parameters<typeof echoGuard>[1]) =>
  echoGuard([], options).reply(
    { operation: 'sendMessage', credentials, body },
    answered(429, { error: { code: echoed, message: echoed } }, { 'retry-after': '17', 'x-ratelimit-q': echoed }),
  );

describe('echoes of users’ texts', () => {
  it.each([
    ['a message', { message: MESSAGE }, `bad: ${MESSAGE}`, 'bad: [redacted]'],
    ['a part of one', { message: MESSAGE }, 'text99 my illness', '[redacted]'],
    ['a message, percent-encoded', { message: MESSAGE }, encodeURIComponent(MESSAGE), '[redacted]'],
    ['a message in a form', { message: MESSAGE }, 'q=privatetext99+my+illness', 'q=[redacted]'],
    ['a message beside a stray %', { message: MESSAGE }, 'privatetext99%20my%20ill 100%', '[redacted] 100%'],
    ['a message in base64', { message: MESSAGE }, Buffer.from(MESSAGE).toString('base64'), '[redacted]'],
    ['a message in hexadecimal', { message: MESSAGE }, `a ${hex(MESSAGE)}.`, 'a [redacted].'],
    ['a message in hexadecimal, within a word', { message: MESSAGE }, `of-id_${hex(MESSAGE)}-x`, 'of-id_[redacted]-x'],
    ['a message in hexadecimal after a digit', { message: MESSAGE }, `0${hex(MESSAGE).toUpperCase()}`, '[redacted]'],
    ['a title as bytes', { title: 'Título privado' }, Buffer.from('Título privado').toString('latin1'), '[redacted]'],
    ['a title, escaped', { title: 'Título privado' }, 'T\\u00edtulo privado', '[redacted]'],
    ['a title', { title: 'privatetitle88' }, 'of privatetitle88', 'of [redacted]'],
    ['an external id', { external_user_id: 'privateuserid77' }, 'privateuserid77', '[redacted]'],
    ['a message of eight characters', { message: 'eightchr' }, 'of eightchr', 'of [redacted]'],
    ['nothing of one of seven', { message: 'sevench' }, 'of sevench', 'of sevench'],
    ['nothing of a short one', { message: 'rate' }, 'rate_limit_of_ours', 'rate_limit_of_ours'],
  ])('%s is removed from what is kept, and from nothing else', (_, body, echoed, clean) => {
    expect(said(body, echoed)).toMatchObject({
      body: { error: { code: clean, message: echoed } },
      headers: { 'retry-after': '17', 'x-ratelimit-q': clean },
    });
  });

  it('are removed from a Date header that is not a date', () => {
    const reply = echoGuard([]).reply(
      { operation: 'sendMessage', credentials, body: { message: MESSAGE } },
      answered(429, {}, { date: MESSAGE }),
    );
    expect(reply).toMatchObject({ headers: { date: '[redacted]' } });
  });

  it('do not remove error codes that identify a limit', () => {
    const code = 'concurrency_limited';
    expect(said({ message: `of ${code}` }, code, { codes: new Set([code]) })).toMatchObject({
      body: { error: { code } },
    });
  });

  it('are removed from status words of successful answers', () => {
    const reply = echoGuard([]).reply(
      { operation: 'sendMessage', credentials, body: { message: MESSAGE } },
      answered(202, { turn_id: 'x', status: MESSAGE }, {}),
    );
    expect(reply).toMatchObject({ body: { turn_id: 'x', status: '[redacted]' } });
  });

  it('are looked for in a long text in time that grows with its length', () => {
    const startedAt = performance.now();
    said({ message: MESSAGE }, 'a'.repeat(100_000));
    // If each character started a search of its own, ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
