import { describe, expect, it } from 'vitest';
import type { Millis } from '../../base/index.ts';
import { type Expression, parseAggregation, parseExpression } from './expression.ts';
import { parseGate, plainOptions, printGate, printWindowedGate, splitGate } from './gate.ts';
import { readGates, recordGates } from './record.ts';
import { parseSelector, printSelector } from './selector.ts';

const known = { operation: ['sendMessage', 'readTurn'], journey: ['ask'] };
const percentile = (percent: number) => ({ of: 'percentile', percent }) as const;

describe('an expression', () => {
  it.each<[string, Expression]>([
    ['count>=100', { aggregation: { of: 'count' }, bound: false, operator: '>=', threshold: 100 }],
    ['rate<0.01', { aggregation: { of: 'rate' }, bound: false, operator: '<', threshold: 0.01 }],
    ['value == 2', { aggregation: { of: 'value' }, bound: false, operator: '==', threshold: 2 }],
    ['value===2', { aggregation: { of: 'value' }, bound: false, operator: '==', threshold: 2 }],
    ['value != 2', { aggregation: { of: 'value' }, bound: false, operator: '!=', threshold: 2 }],
    ['avg < 200', { aggregation: { of: 'avg' }, bound: false, operator: '<', threshold: 200 }],
    ['min>1e-3', { aggregation: { of: 'min' }, bound: false, operator: '>', threshold: 0.001 }],
    ['  max <=  1.5e3 ', { aggregation: { of: 'max' }, bound: false, operator: '<=', threshold: 1_500 }],
    ['med<.5', { aggregation: { of: 'med' }, bound: false, operator: '<', threshold: 0.5 }],
    ['p(95)<300', { aggregation: percentile(95), bound: false, operator: '<', threshold: 300 }],
    ['p( 99.9 ) < 300', { aggregation: percentile(99.9), bound: false, operator: '<', threshold: 300 }],
    ['p(0)>0', { aggregation: percentile(0), bound: false, operator: '>', threshold: 0 }],
    ['p(100)<-0', { aggregation: percentile(100), bound: false, operator: '<', threshold: 0 }],
    ['bound(p(90))<8000', { aggregation: percentile(90), bound: true, operator: '<', threshold: 8_000 }],
    ['bound( rate )<0.05', { aggregation: { of: 'rate' }, bound: true, operator: '<', threshold: 0.05 }],
    ['bound(med)>10', { aggregation: { of: 'med' }, bound: true, operator: '>', threshold: 10 }],
  ])('%s', (text, expected) => {
    expect(parseExpression(text)).toEqual({ value: expected });
  });

  it.each([
    ['', 'write count, rate, value, avg, min, max, med or p(N), or bound(…) of one of them'],
    ['p95<300', 'write p(95)<300'],
    ['p99.9<300', 'write p(99.9)<300'],
    ['p(95)<300ms', 'times are in milliseconds, and a number has no unit; write for example p(95)<300'],
    [' rate<1 %', 'shares are 0 to 1; write rate<0.01'],
    ['rate<5.8 %', 'shares are 0 to 1; write rate<0.058'],
    ['rate<1%', 'shares are 0 to 1; write rate<0.01'],
    ['p(95)<3s', 'times are in milliseconds, and a number has no unit; write for example p(95)<300'],
    ['p(95)=300', 'a comparison is <, <=, >, >=, == or !='],
    ['median<300', 'did you mean med?'],
    ['constructor<300', 'write count, rate, value'],
    ['p(95)<', 'for example p(95)<300'],
    ['p(-1)<3', 'for example p(95)<300'],
    ['p(101)<3', 'write p(N) with N from 0 to 100'],
    ['bound(bound(med))<3', 'for example p(95)<300'],
    ['avg<1e999', undefined],
    ['avg<3; max<4', 'for example p(95)<300'],
  ])('%j is refused', (text, hint) => {
    const parsed = parseExpression(text);
    expect(parsed).toHaveProperty('faults');
    const fault = 'faults' in parsed ? parsed.faults[0] : undefined;
    if (hint === undefined) expect(fault?.message).toBe('1e999 is too large to compare');
    else expect(fault?.hint).toContain(hint);
  });
});

it('an aggregation is a word or a percentile up to the largest sample', () => {
  expect(parseAggregation(' p(100) ')).toEqual({ value: percentile(100) });
  expect(parseAggregation('p95')).toEqual({
    faults: [{ message: '"p95" is not an aggregation', hint: 'write count, rate, value, avg, min, max, med or p(N)' }],
  });
  expect(parseAggregation('p(100.5)')).toMatchObject({ faults: [{ message: 'there is no percentile 100.5' }] });
});

describe('a metric', () => {
  it.each([
    ['http_reqs', 'http_reqs'],
    [' http_reqs { operation : sendMessage } ', 'http_reqs{operation:sendMessage}'],
    ['http_reqs{status:202,operation:"sendMessage"}', 'http_reqs{operation:sendMessage,status:202}'],
    ['http_reqs{status:101}', 'http_reqs{status:101}'],
    ['http_reqs{status:999}', 'http_reqs{status:999}'],
    [
      'rate_limited{stage:"all at once", journey:ask, limit:rate}',
      'rate_limited{limit:rate,journey:ask,stage:"all at once"}',
    ],
    ["iteration_duration{journey:'ask'}", 'iteration_duration{journey:ask}'],
    ['daily_quota_used{application:"a, b"}', 'daily_quota_used{application:"a, b"}'],
    ['turn_completion{by:poll,bound:longest}', 'turn_completion{by:poll,bound:longest}'],
    ['iterations{outcome:stopped}', 'iterations{outcome:stopped}'],
    ['http_req_duration{outcome:censored}', 'http_req_duration{outcome:censored}'],
    ['rate_limited{limit:unattributed}', 'rate_limited{limit:unattributed}'],
    ['dropped_iterations{reason:stopped}', 'dropped_iterations{reason:stopped}'],
    [`cap_wait{stage:'the "peak"'}`, `cap_wait{stage:'the "peak"'}`],
  ])('%s', (text, canonical) => {
    const selector = parseSelector(text, known);
    expect('value' in selector && printSelector(selector.value)).toBe(canonical);
  });

  it.each([
    ['http_req_durations', 'there is no metric "http_req_durations"', 'did you mean http_req_duration?'],
    ['ws_connecting', 'there is no metric "ws_connecting"', 'write http_req_duration{operation:openStream}'],
    ['toString', 'there is no metric "toString"', 'metrics are http_reqs, '],
    ['limit.rat', 'there is no metric "limit.rat"', 'did you mean limit.rate?'],
    [
      'limit.rate{application:a1}',
      'limit.rate is not a metric, but the verdict on a limit',
      'write limit.rate: held or limit.rate: not violated as a gate, without tags',
    ],
    ['', 'names no metric', 'metrics are http_reqs, '],
    ['http_reqs{operation}', '"operation" is not a tag', 'http_reqs has operation, outcome, status'],
    ['http_reqs{}', '"" is not a tag', 'write tag:value'],
    ['http_req_duration{expected_response:true}', 'has no tag "expected_response"', 'write outcome:success'],
    ['http_req_duration{status:429}', 'has no tag "status"', 'write outcome:success, or outcome:refused for 429'],
    [
      'http_req_failed{expected_response:true}',
      'no tag "expected_response"',
      'http_req_failed has operation, application',
    ],
    ['http_req_failed{scenario:peak}', 'has no tag "scenario"', 'write journey or stage'],
    ['http_reqs{operatoin:sendMessage}', 'http_reqs has no tag "operatoin"', 'did you mean operation?'],
    ['http_reqs{operation:sendMesage}', 'never has the value "sendMesage"', 'did you mean sendMessage?'],
    ['iterations{outcome:success}', 'never has the value "success"', 'completed, stopped, interrupted'],
    ['schedule_lag{operation:readTurn}', 'schedule_lag has no tag "operation"', 'schedule_lag has no tags'],
    ['http_reqs{status:200,status:202}', 'the tag status is given twice', 'give it once'],
    ['http_reqs{operation:sendMessage"}', '"operation:sendMessage"" is not a tag', 'write tag:value'],
    ["http_reqs{journey:it's}", `"journey:it's" is not a tag`, 'write tag:value'],
    ['http_reqs{a}{b}', 'is not a metric', 'write name or name{tag:value}'],
  ])('%j is refused', (text, message, hint) => {
    const parsed = parseSelector(text, known);
    const fault = 'faults' in parsed ? parsed.faults[0] : undefined;
    expect(fault?.message).toContain(message);
    expect(fault?.hint).toContain(hint);
  });

  it.each(['5xx', '>=500', '50', '5000', '099', 'undefined', ''])(
    'has no status "%s", and no gate can count it',
    (status) => {
      expect(parseSelector(`http_reqs{status:"${status}"}`, known)).toEqual({
        faults: [
          {
            message: `the tag status of http_reqs never has the value "${status}"`,
            hint: 'write one status, such as 503; outcome:error are all answers that are neither a success nor a refusal',
          },
        ],
      });
    },
  );

  it.each([
    ['success', '202', undefined],
    ['error', '503', undefined],
    ['refused', '429', undefined],
    ['refused', '503', 'write one of them; refused is 429, and what errorCodes.otherStatuses of the profile names'],
    ['error', '429', 'write one of them; refused is 429, and what errorCodes.otherStatuses of the profile names'],
    ['success', '429', 'write one of them; refused is 429, and what errorCodes.otherStatuses of the profile names'],
    ['failed', '503', 'write one of them; failed is without an answer'],
    ['censored', '200', 'write one of them; censored is without an answer'],
  ])('of outcome %s and status %s', (outcome, status, hint) => {
    const parsed = parseSelector(`http_reqs{status:${status},outcome:${outcome}}`, known);
    const message = `a gate cannot have both outcome:${outcome} and status:${status}`;
    expect(parsed).toEqual(
      hint === undefined
        ? { value: { metric: 'http_reqs', tags: { outcome, status } } }
        : { faults: [{ message, hint }] },
    );
  });

  it('has no tag of which nothing has a value', () => {
    const parsed = parseSelector('http_reqs{stage:peak}', { stage: [] });
    expect('faults' in parsed && parsed.faults.map(({ message }) => message)).toEqual([
      'the tag stage of http_reqs has no values here',
    ]);
    const users = parseSelector('http_reqs{application:a}', { application: [] });
    expect('faults' in users && users.faults[0]?.hint).toBe('leave it out');
  });
});

describe('a gate', () => {
  it.each([
    ['http_req_duration', 'count<3', 'http_req_duration is a trend and has no count', 'avg, min, max, med, p(N)'],
    ['http_reqs', 'p(95)<3', 'http_reqs is a counter and has no p(95)', 'write count, rate'],
    ['open_turns', 'max<3', 'open_turns is a gauge and has no max', 'write value'],
    ['checks', 'value>0.9', 'checks is a rate and has no value', 'write rate'],
    [
      'http_req_duration',
      'bound(avg)<3',
      'avg of http_req_duration has no confidence bound',
      'write bound(p(N)) or bound(med)',
    ],
    ['http_req_duration', 'bound(p(100))<3', 'p(100) of http_req_duration has no confidence bound', 'bound(p(N))'],
    ['http_reqs', 'bound(count)<3', 'count of http_reqs has no confidence bound', 'write count without bound'],
    ['http_req_duration', 'bound(med)==3', 'a bound cannot be compared with ==', 'write <'],
    ['http_req_duration', 'bound(med)!=3', 'a bound cannot be compared with !=', 'write <'],
    [
      'http_req_failed',
      'bound(rate)<=0',
      '<=0 is never true: the bound of a share is above 0 and below 1',
      'write rate<=0 without bound',
    ],
    ['checks', 'bound(rate)>=1', '>=1 is never true', 'write rate>=1 without bound'],
    ['http_req_duration', 'p(95)<0', '<0 is never true', 'choose'],
    ['http_req_duration', 'p(95)>-1', '>-1 is always true', 'choose'],
    [
      'http_req_failed',
      'rate<1.01',
      '<1.01 is always true: http_req_failed is from 0 to 1',
      'write <0.0101 for 1.01 %',
    ],
    ['checks', 'rate>95', '>95 is never true: checks is from 0 to 1', 'write >0.95 for 95 %'],
    ['http_req_failed', 'rate<100', '<100 is always true', 'write <1 for 100 %'],
    ['http_req_failed', 'rate<101', '<101 is always true', 'choose'],
    ['http_req_duration', 'bound(p(0))>3', 'p(0) of http_req_duration has no confidence bound', 'bound(p(N))'],
    ['checks', 'rate<=1', '<=1 is always true', 'choose'],
    ['checks', 'rate>1', '>1 is never true', 'choose'],
    ['http_reqs', 'count>=0', '>=0 is always true', 'choose'],
    ['http_reqs', 'count==1.5', '==1.5 is never true: http_reqs is a whole number', 'choose'],
    ['http_reqs', 'count==-1', '==-1 is never true: http_reqs is never below 0', 'choose'],
    ['http_reqs', 'count!=-1', '!=-1 is always true', 'choose'],
    ['checks', 'rate!=2', '!=2 is always true', 'write !=0.02 for 2 %'],
    ['open_turns', 'value!=1.5', '!=1.5 is always true', 'choose'],
    ['limit.rate', 'kept', '"kept" is not a state of a limit', 'write held or not violated'],
    ['http_reqs', 'held', '"held" applies only to limits', 'limit.rate, limit.concurrency, limit.daily'],
    ['limit.rate', 'not violted', '"not violted" is not a state of a limit', 'did you mean not violated?'],
  ])('%s: %s is refused', (name, threshold, message, hint) => {
    const parsed = parseGate(name, threshold, plainOptions, known);
    const fault = 'faults' in parsed ? parsed.faults[0] : undefined;
    expect(fault?.part).toBe('threshold');
    expect(fault?.message).toContain(message);
    expect(fault?.hint).toContain(hint);
  });

  it.each([
    ['http_req_duration', 'p(95)<300'],
    ['http_req_duration', 'bound(p(95))<300'],
    ['http_req_duration', 'bound(med)>=1'],
    ['http_req_failed', 'bound(rate)<0.05'],
    ['http_req_failed', 'bound(rate)<=0.05'],
    ['http_req_failed', 'bound(rate)<1'],
    ['checks', 'bound(rate)>0'],
    ['checks', 'bound(rate)>=0.5'],
    ['http_reqs', 'rate>0.5'],
    ['event_loop_delay', 'value<20.5'],
    ['event_loop_delay', 'value!=20.5'],
    ['checks', 'rate>=1'],
    ['checks', 'rate==1'],
    ['checks', 'rate!=0.5'],
    ['http_req_failed', 'rate<=0'],
    ['dropped_iterations', 'count<1'],
    ['limit.rate', 'held'],
    ['limit.daily', 'not violated'],
    ['http_reqs', 'count<1e21'],
  ])('%s: %s is read and printed', (name, threshold) => {
    const parsed = parseGate(name, threshold);
    expect('value' in parsed && printGate(parsed.value)).toBe(`${name}: ${threshold}`);
  });

  it('reports all errors at once', () => {
    const parsed = parseGate('http_reqs{operation:x,foo:y}', 'p95', plainOptions, known);
    expect('faults' in parsed && parsed.faults.map(({ part }) => part)).toEqual(['name', 'name', 'threshold']);
    const ofNothing = parseGate('requests', 'held');
    expect('faults' in ofNothing && ofNothing.faults.map(({ part }) => part)).toEqual(['name']);
  });

  it.each([
    ['a window of half a second', 'http_reqs', 'rate>1', { window: 500 as Millis }, 'window'],
    ['a window of a second and a half', 'http_reqs', 'rate>1', { window: 1_500 as Millis }, 'window'],
    ['a window of nothing', 'http_reqs', 'rate>1', { window: 0 as Millis }, 'window'],
    ['a window of a gauge', 'open_turns', 'value<3', { window: 5_000 as Millis }, 'window'],
    ['a delay without an abort', 'http_reqs', 'rate>1', { delayAbortEval: 500 as Millis }, 'delayAbortEval'],
    ['an abort by a limit', 'limit.rate', 'held', { abortOnFail: true }, 'abortOnFail'],
    ['a window of a limit', 'limit.rate', 'held', { window: 5_000 as Millis }, 'window'],
  ])('with %s is refused', (_, name, threshold, options, part) => {
    const parsed = parseGate(name, threshold, { ...plainOptions, ...options });
    expect('faults' in parsed && parsed.faults.map((fault) => fault.part)).toEqual([part]);
  });

  it('on the command line is split at its colon', () => {
    expect(splitGate('http_req_duration{operation:sendMessage}: p(95)<300')).toEqual({
      name: 'http_req_duration{operation:sendMessage}',
      threshold: 'p(95)<300',
    });
    expect(splitGate('limit.rate:held')).toEqual({ name: 'limit.rate', threshold: 'held' });
    expect(splitGate('http_reqs')).toBeUndefined();
    expect(splitGate('http_reqs{stage:a}{stage:b}: count<1')).toBeUndefined();
  });
});

describe('the header', () => {
  it('may have durations as text, and a lone demand and a limit with other blanks', () => {
    const recorded = {
      http_reqs: [{ threshold: 'rate>1', window: '5s', abortOnFail: true, delayAbortEval: '250ms' }],
      ' limit.rate ': ' not   violated ',
    };
    expect(readGates(recorded).gates).toMatchObject([
      { options: { window: 5_000, abortOnFail: true, delayAbortEval: 250 } },
      { limit: 'rate', demand: 'not violated' },
    ]);
  });

  it('stores gates with their options and reads them back', () => {
    const options = { abortOnFail: true, delayAbortEval: 1_000 as Millis, window: 2_000 as Millis, allowNoData: true };
    const gates = [
      parseGate('http_reqs{operation:readTurn}', 'rate>1', options),
      parseGate('limit.daily', 'held'),
      parseGate('http_reqs{operation:readTurn}', 'count>1'),
    ].flatMap((parsed) => ('value' in parsed ? [parsed.value] : []));
    const recorded = recordGates(gates);
    expect(recorded).toEqual({
      'http_reqs{operation:readTurn}': [
        { threshold: 'rate>1', abortOnFail: true, delayAbortEval: 1_000, window: 2_000, allowNoData: true },
        { threshold: 'count>1' },
      ],
      'limit.daily': [{ threshold: 'held' }],
    });
    const [first, second, third] = gates;
    expect(first && printWindowedGate(first)).toBe('http_reqs{operation:readTurn}: rate>1 in windows of 2 s');
    expect(second && printWindowedGate(second)).toBe('limit.daily: held');
    expect(readGates(JSON.parse(JSON.stringify(recorded)))).toEqual({ gates: [first, third, second], unreadable: [] });
  });

  it('of another version lists gates that cannot be read', () => {
    expect(readGates({ new_metric: ['p(95)<3'], http_reqs: ['count>1', { threshold: 7 }, null] })).toMatchObject({
      gates: [{ kind: 'metric' }],
      unreadable: [
        { name: 'new_metric', demand: 'p(95)<3' },
        { name: 'http_reqs', demand: '7' },
        { name: 'http_reqs', demand: 'null' },
      ],
    });
    for (const none of [undefined, null, [], {}, 'count>1'])
      expect(readGates(none)).toEqual({ gates: [], unreadable: [] });
  });
});
