import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigurationError } from '../../base/index.ts';
import { printGate } from '../../metrics/index.ts';
import { loadScenario } from '../load.ts';
import type { LoadedScenario } from '../loaded.ts';
import { scenarioJsonSchema } from '../published/json-schema.ts';

const rest = 'name: gated\nload: { model: burst, count: 1 }\njourneys: { ask: { steps: [{ pause: 1s }] } }\n';

function load(gates: string, words: readonly string[] = []): Promise<LoadedScenario> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-gates-'));
  const file = join(folder, 's.yaml');
  writeFileSync(file, `${rest}${gates}`);
  return loadScenario(file, { env: { LIMIT_MS: '300' }, gates: words });
}

async function problemsOf(gates: string, words: readonly string[] = []): Promise<readonly string[]> {
  try {
    await load(gates, words);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.exitCode).toBe(104);
    return error.message.split('\n').map((line) => line.replace(/^\S*s\.yaml:/, ''));
  }
}

const example = `gates:
  http_req_duration{operation:sendMessage}: ['p(95)<300', 'max<2000']
  http_req_failed: rate<0.01
  iteration_duration{journey:ask}:
    - { threshold: 'p(90)<8000', abortOnFail: true, delayAbortEval: 10s, window: 30s, allowNoData: true }
  limit.rate: held
  limit.daily: [not violated]
`;

describe('gates of a scenario', () => {
  test('are read, with their options, those of the command line after them', async () => {
    const { gates } = await load(example, ['http_reqs{status:429}: count<5', 'limit.concurrency:held']);
    expect(gates.map(printGate)).toEqual([
      'http_req_duration{operation:sendMessage}: p(95)<300',
      'http_req_duration{operation:sendMessage}: max<2000',
      'http_req_failed: rate<0.01',
      'iteration_duration{journey:ask}: p(90)<8000',
      'limit.rate: held',
      'limit.daily: not violated',
      'http_reqs{status:429}: count<5',
      'limit.concurrency: held',
    ]);
    expect(gates[3]?.options).toEqual({ abortOnFail: true, delayAbortEval: 10_000, window: 30_000, allowNoData: true });
    expect(gates[0]?.options).toEqual({ abortOnFail: false, allowNoData: false });
  });

  test('are one if the command line gives one of them again, however it is written', async () => {
    const text = "gates: { http_req_failed: [{ threshold: 'rate<0.5', abortOnFail: true }, 'rate<0.3'] }\n";
    const words = ['http_req_failed: rate < 0.50', 'http_reqs: count<9', 'http_reqs: count<9'];
    const { gates } = await load(text, words);
    expect(gates.map(printGate)).toEqual([
      'http_req_failed: rate<0.5',
      'http_req_failed: rate<0.3',
      'http_reqs: count<9',
    ]);
    expect(gates[0]?.options.abortOnFail).toBe(true);
  });

  test('are two if the one asks for more than the other', async () => {
    const two = [
      "[{ threshold: 'rate<0.5', allowNoData: true }, 'rate<0.5']",
      "[{ threshold: 'rate<0.5', window: 30s }, 'rate<0.5']",
      "['rate<0.5', { threshold: 'rate<0.5', abortOnFail: true }]",
      "[{ threshold: 'rate<0.5', abortOnFail: true, delayAbortEval: 9s }, { threshold: 'rate<0.5', abortOnFail: true }]",
    ];
    for (const gates of two)
      expect((await load(`gates: { http_req_failed: ${gates} }\n`)).gates, gates).toHaveLength(2);
  });

  test('may take their numbers from the environment', async () => {
    const { gates } = await load("gates: { http_req_duration: 'p(95)<${env.LIMIT_MS}' }\n");
    expect(gates.map(printGate)).toEqual(['http_req_duration: p(95)<300']);
  });

  test('that may end the run at once say so by a delay of 0, and mean nothing without abortOnFail', async () => {
    const delayed = (more: string) => `gates: { http_reqs: [{ threshold: 'count>1', delayAbortEval: 0${more} }] }\n`;
    const { gates } = await load(delayed(', abortOnFail: true'));
    expect(gates.map(({ options }) => options)).toEqual([{ abortOnFail: true, delayAbortEval: 0, allowNoData: false }]);
    expect(await problemsOf(delayed(''))).toEqual([
      expect.stringContaining('gates.http_reqs[0].delayAbortEval: has no meaning without abortOnFail'),
    ]);
  });

  test('are none by default', async () => {
    expect((await load('')).gates).toEqual([]);
  });

  test('that are wrong are reported all at once, each with its place', async () => {
    const wrong = `gates:
  http_req_duratoin: ['p(95)<300', 'max<2000']
  http_req_duration{operaton:sendMessage}: ['p95<300']
  http_reqs{operation:sendMesage}: ['p(95)<3', 'count>-1']
  http_req_failed: [{ threshold: 'rate<5' }, { threshold: 'value<1', window: 500ms }, { threshold: 'rate<1', window: 0 }]
  iteration_duration{journey:aks}: max<1
  limit.rates: held
  limit.daily: [keep, { threshold: held, abortOnFail: true }]
  open_turns: [{ threshold: 'value<3', delayAbortEval: 5s, windw: 3s }]
  checks: 7
  iterations: [null, { window: 3s }]
`;
    expect(await problemsOf(wrong, ['httpreqs: count>1', 'checks: rate>95'])).toEqual([
      '5:3 gates.http_req_duratoin: there is no metric "http_req_duratoin"; did you mean http_req_duration?',
      '6:3 gates["http_req_duration{operaton:sendMessage}"]: http_req_duration has no tag "operaton"; did you mean operation?',
      '6:45 gates["http_req_duration{operaton:sendMessage}"][0]: "p95<300" is not a gate expression; write p(95)<300',
      '7:3 gates["http_reqs{operation:sendMesage}"]: the tag operation of http_reqs never has the value "sendMesage"; did you mean sendMessage?',
      '8:34 gates.http_req_failed[0].threshold: <5 is always true: http_req_failed is from 0 to 1; write <0.05 for 5 %',
      '8:59 gates.http_req_failed[1].threshold: http_req_failed is a rate and has no value; write rate',
      '8:78 gates.http_req_failed[1].window: must be whole seconds; write for example 30s',
      '8:118 gates.http_req_failed[2].window: must be longer than 0; write for example 30s',
      '9:3 gates["iteration_duration{journey:aks}"]: the tag journey of iteration_duration never has the value "aks"; did you mean ask?',
      '10:3 gates["limit.rates"]: there is no metric "limit.rates"; did you mean limit.rate?',
      '11:17 gates["limit.daily"][0]: "keep" is not a state of a limit; write held or not violated',
      '11:55 gates["limit.daily"][1].abortOnFail: has no meaning for a limit; limits are judged after the run, from all of it',
      '12:56 gates.open_turns[0].delayAbortEval: has no meaning without abortOnFail; write abortOnFail: true beside it',
      '12:60 gates.open_turns[0].windw: unknown key "windw"; did you mean window?',
      '13:11 gates.checks: must be text or a list, not 7; write for example p(95)<300, or [{ threshold: p(95)<300, abortOnFail: true }]',
      '14:16 gates.iterations[0]: must be text or an object, not null',
      '14:22 gates.iterations[1].threshold: is missing; write text',
      '--gate "httpreqs: count>1": there is no metric "httpreqs"; did you mean http_reqs?',
      '--gate "checks: rate>95": >95 is never true: checks is from 0 to 1; write >0.95 for 95 %',
    ]);
  });

  test('that are wrong on the command line are reported together with a missing file', async () => {
    expect(await problemsOf('', ['daily_quota_used{application:zz}: value<50'])).toEqual([
      '--gate: the tag application of daily_quota_used never has the value "zz"; its values are a1',
    ]);
    const missing = loadScenario('/nowhere/s.yaml', { env: {}, gates: ['foo'] });
    await expect(missing).rejects.toThrow(/no such file[\s\S]*\n--gate: "foo" is not of the form METRIC: EXPRESSION/);
  });

  test('are in the JSON Schema: names, expressions and options', () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(scenarioJsonSchema());
    const judge = (gates: string) => validate(parse(`${rest}${gates}`));
    expect(judge(example)).toBe(true);
    expect(judge("gates: { http_req_duratoin: 'p(95)<300' }\n")).toBe(false);
    expect(judge("gates: { http_req_duration: 'p95<300' }\n")).toBe(false);
    expect(judge("gates: { http_req_duration: [{ threshold: 'p(95)<300', abort: true }] }\n")).toBe(false);
    expect(judge('gates: { limit.rate: hold }\n')).toBe(false);
    expect(JSON.stringify(scenarioJsonSchema())).toContain(
      'turn_completion{by, bound, application, journey, stage} (avg, min, max, med, p(N))',
    );
  });
});
