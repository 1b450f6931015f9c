import { describe, expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { exportText } from '../export-all.ts';
import { csvFormats } from './index.ts';
import { exchange, header, sampleRun } from './journals.exam.ts';
import { csvRecords } from './parse-csv.exam.ts';

describe('other exports', () => {
  it("writes JMeter's columns, each in its place", () => {
    const text = exportText(csvFormats.jtl, sampleRun);
    expect(text.split('\n')[0]).toBe(
      'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect',
    );
    const rows = csvRecords(text);
    // Nine exchanges, one of them in the warm-up.
    expect(rows).toHaveLength(8);
    expect(rows[1]).toMatchObject({
      timeStamp: String(Date.parse('2026-11-21T12:00:00.000Z') + 10),
      elapsed: '5',
      label: 'sendMessage',
      responseCode: '202',
      threadName: 'ask 1-1',
      success: 'true',
      failureMessage: '',
      URL: '/api/partners/v1/conversations/{conversation_id}/messages',
      Latency: '5',
    });
    expect(rows[4]).toMatchObject({
      responseCode: '429',
      responseMessage: 'rate_limited',
      success: 'false',
      failureMessage: 'rate_limited',
    });
    expect(rows[5]).toMatchObject({ success: 'false', failureMessage: 'messages.0.role is "user", not "assistant"' });
    expect(rows[6]).toMatchObject({
      responseCode: 'Non HTTP response code: ECONNRESET',
      success: 'false',
      Latency: '0',
    });
    const numbers = [
      'timeStamp',
      'elapsed',
      'bytes',
      'sentBytes',
      'grpThreads',
      'allThreads',
      'Latency',
      'IdleTime',
      'Connect',
    ];
    for (const row of rows) for (const name of numbers) expect(row[name]).toMatch(/^\d+$/);
  });

  it("tells JMeter's readers what is a success, and the first reason why something is none", () => {
    const error = { code: 'internal', retryable: true, requestId: 'r' };
    const expected = { checked: 1, unmet: [] };
    const rows = csvRecords(
      exportText(csvFormats.jtl, [
        header({ warmUpUs: us(1_000) }),
        exchange(0, { intendedAt: us(999), status: 200 }),
        ...[
          { status: 200 },
          { status: 404, expect: { ...expected, namedStatus: true }, error: { ...error, code: 'not_found' } },
          { status: 404, expect: expected, error: { ...error, code: 'not_found' } },
          { status: 200, bodyProblem: 'no JSON' },
          { status: 500, bodyProblem: 'no JSON', expect: { checked: 1, unmet: ['status: 500'] }, error },
          { status: 500, expect: { checked: 1, unmet: ['status: 500'] }, error },
        ].map((members, index) => exchange(index + 1, { intendedAt: us(1_000), ...members })),
      ]),
    );
    expect(rows.map(({ success, failureMessage }) => [success, failureMessage])).toEqual([
      ['true', ''],
      ['true', ''],
      ['false', 'not_found'],
      ['false', 'no JSON'],
      ['false', 'no JSON'],
      ['false', 'status: 500'],
    ]);
  });
});
