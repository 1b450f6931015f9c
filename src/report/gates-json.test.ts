import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { hostileRun } from './exporters/hostile-run.exam.ts';
import { censoredRun, emptyRun, sampleRun } from './exporters/journals.exam.ts';
import { GatesSchema, gatesJsonSchema } from './gates-json.ts';
import { judgedRun } from './judged-runs.exam.ts';
import { renderGates } from './terminal/gates.ts';

const runs = { emptyRun, censoredRun, hostileRun, sampleRun };

describe('gates.json', () => {
  it.each(Object.entries(runs))('of %s has the members of the definition and no others', (_, records) => {
    const document: unknown = JSON.parse(JSON.stringify(judgedRun(records).gates));
    expect(GatesSchema.safeParse(document).error?.issues).toBeUndefined();
  });

  it.each(Object.entries(runs))('of %s satisfies the published schema', (_, records) => {
    const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(gatesJsonSchema());
    validate(JSON.parse(JSON.stringify(judgedRun(records).gates)));
    expect(validate.errors).toBeNull();
  });

  it('is rejected by the published schema with an invalid state or without its reason', () => {
    const validate = new Ajv2020({ strictTypes: false }).compile(gatesJsonSchema());
    const { gates: document } = judgedRun(sampleRun);
    const [first] = document.gates;
    expect(validate({ ...document, gates: [{ ...first, state: 'ok' }] })).toBe(false);
    expect(validate({ ...document, gates: [{ ...first, because: undefined }] })).toBe(false);
    expect(validate({ ...document, gates: [{ ...first, new: 1 }] })).toBe(true);
    expect(validate({ ...document, gates: [{ ...first, unit: 'km' }] })).toBe(true);
  });
});

describe('the table of gates', () => {
  const { gates } = judgedRun(sampleRun);

  it('lists failed gates first, in at most 80 columns, without control characters', () => {
    const lines = renderGates(gates, { columns: 80 }).trimEnd().split('\n');
    expect(lines[0]).toBe('gates: 4 passed, 5 failed, 2 undetermined');
    expect(lines[1]).toMatch(/^✗ http_req_duration: max<1$/);
    expect(
      lines
        .filter((line) => /^[✗?✓] /.test(line))
        .map((line) => line[0])
        .join(''),
    ).toBe('✗✗✗✗✗??✓✓✓✓');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    expect(lines.join('\n')).toContain('<b>\\u{1b}[31m::error::: |=1+1');
  });

  it('is coloured on request, and empty without gates', () => {
    expect(renderGates(gates, { color: true })).toContain('\u001b[31m✗');
    expect(renderGates({ ...gates, gates: [] })).toBe('');
  });

  it('says that a history is incomplete, and over how many runs it judges', () => {
    const text = renderGates({ ...gates, complete: false, runs: ['a', 'b', 'c'] });
    expect(text.replaceAll('\n', ' ')).toContain(', over 3 runs together; they cover only a part of the run');
  });
});
