import { describe, expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import type { Exchange } from '../../history/index.ts';
import { exchange, us } from '../../testing/history/sample-records.ts';
import { doubtAbout as doubtAboutIn } from './doubt.ts';

const words = { errorCodes: sandboxProfile().errorCodes };
const doubtAbout = (one: Exchange) => doubtAboutIn(one, words);
const doubt = (members: Partial<Exchange>) =>
  doubtAbout(exchange({ seq: 1, sentAt: us(10), headersAt: us(20), receivedAt: us(30), ...members }));

function unanswered(members: Partial<Exchange> = {}): Exchange {
  const { headersAt: _, status: __, ...one } = exchange({ seq: 1, outcome: 'failed', ...members });
  return { ...one, ...members };
}

describe('what is impossible about an exchange', () => {
  it('is a number or a worker that no run has', () => {
    expect(doubt({ seq: 2 ** 40 - 1 })).toBeUndefined();
    expect(doubt({ seq: 2 ** 40 })).toBe('impossible sequence number');
    expect(doubt({ worker: 4_095 })).toBeUndefined();
    expect(doubt({ worker: 4_096 })).toBe('impossible sequence number');
  });

  it('are times in another order than they happen in', () => {
    expect(doubt({ sentAt: us(0) })).toBeUndefined();
    expect(doubt({ sentAt: us(-1) })).toBe('sent before the run');
    expect(doubt({ sentAt: us(20), headersAt: us(20), receivedAt: us(20) })).toBeUndefined();
    expect(doubt({ sentAt: us(31) })).toBe('received before it was sent');
    expect(doubt({ sentAt: us(21) })).toBe('received before it was sent');
    expect(doubtAbout(unanswered({ sentAt: us(10), receivedAt: us(9) }))).toBe('received before it was sent');
    expect(doubtAbout(unanswered({ sentAt: us(10), receivedAt: us(10) }))).toBeUndefined();
    expect(doubt({ headersAt: us(31) })).toBe('headers after the last byte');
    expect(doubt({ headersAt: us(30) })).toBeUndefined();
  });

  it('is an outcome that its status contradicts', () => {
    const { headersAt: _, ...headless } = exchange({ seq: 1 });
    const { status: __, ...statusless } = exchange({ seq: 1 });
    expect(doubtAbout(headless)).toBe('answered without a status line');
    expect(doubtAbout(statusless)).toBe('answered without a status line');
    expect(doubtAbout({ ...statusless, outcome: 'refused' })).toBe('answered without a status line');
    expect(doubtAbout(unanswered())).toBeUndefined();
    expect(doubtAbout(unanswered({ outcome: 'censored' }))).toBeUndefined();
    expect(doubtAbout(unanswered({ status: 200 }))).toBe('unanswered with a status');
    expect(doubt({ outcome: 'refused', status: 429 })).toBeUndefined();
    expect(doubt({ outcome: 'refused', status: 200 })).toBe('outcome contradicts the status');
    expect(doubt({ status: 429 })).toBe('outcome contradicts the status');
  });

  it('is a refusal with another status than 429, unless the profile says so and of which limit', () => {
    const error = { code: 'rate_limited', lacks: [] };
    const refused = exchange({ seq: 1, outcome: 'refused', status: 503 });
    const declared = { errorCodes: { ...words.errorCodes, otherStatuses: [503] } };
    const contradiction = 'outcome contradicts the status';
    expect(doubtAbout({ ...refused, error })).toBe(contradiction);
    expect(doubtAboutIn({ ...refused, error }, declared)).toBeUndefined();
    expect(doubtAboutIn(refused, declared)).toBe(contradiction);
    expect(doubtAboutIn({ ...refused, error: { ...error, code: 'unavailable' } }, declared)).toBe(contradiction);
    expect(doubtAboutIn({ ...refused, outcome: 'answered' }, declared)).toBeUndefined();
    expect(doubtAboutIn({ ...refused, outcome: 'answered', error }, declared)).toBe(contradiction);
  });

  it('is a status that HTTP does not have', () => {
    for (const status of [0, 99, 1_000]) expect(doubt({ status })).toBe('impossible status');
    for (const status of [100, 999]) expect(doubt({ status })).toBeUndefined();
  });

  it('is a resend of nothing', () => {
    const message = { id: 'm1', digest: 'd1' };
    expect(doubt({ operation: 'rateAnswer', message, resend: 'same' })).toBe('resend without a message');
    expect(doubt({ operation: 'sendMessage', status: 202, message, resend: 'same' })).toBeUndefined();
    expect(doubt({ operation: 'readTurn', resend: 'same' })).toBe('resend without a message');
  });
});
