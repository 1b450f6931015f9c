import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';
import type { Calibration } from '../calibrate/index.ts';
import { CalibrationSchema, calibrationJsonSchema } from './calibration.ts';
import { PlanLineSchema, planJsonSchema } from './plan.ts';

/** `vitest --update` regenerates the files. */
const published = (schema: object) => `${JSON.stringify(schema, undefined, 2)}\n`;
const validatorOf = (schema: object) => new Ajv2020({ allErrors: true, strictTypes: false }).compile(schema);

describe('calibrate --json', () => {
  const capacity = { requests: 20_000, seconds: 1.003, perSecond: 19_940.2, perCpuSecond: 21_000.5 };
  const pacing = { rate: 100, planned: 100, sent: 100, lagP50Us: us(12), lagP99Us: us(90), lagMaxUs: us(400) };
  const calibration: Calibration = {
    format: 'spillway-calibration',
    version: 1,
    tool: 'spillway 0.1.0',
    machine: { cpu: 'x', cores: 2, memoryBytes: 1, os: 'linux', kernel: '6', architecture: 'x64' },
    ours: capacity,
    autocannon: capacity,
    pacing: [
      { ...pacing, cpuShare: 0.9 },
      { ...pacing, fastestSecondMs: 998.5, cpuShare: 1 },
    ],
  };

  it('has its JSON Schema in step with its definition', async () => {
    await expect(published(calibrationJsonSchema())).toMatchFileSnapshot('calibration.schema.json');
  });

  it('satisfies it', () => {
    expect(CalibrationSchema.safeParse(calibration).error?.issues).toBeUndefined();
    const validate = validatorOf(calibrationJsonSchema());
    validate(calibration);
    expect(validate.errors).toBeNull();
    expect(validate({ ...calibration, ours: {} })).toBe(false);
    expect(validate({ ...calibration, somethingNew: 1 })).toBe(true);
  });
});

describe('plan --json', () => {
  it('has its JSON Schema in step with its definition', async () => {
    await expect(published(planJsonSchema())).toMatchFileSnapshot('plan.schema.json');
  });

  it('satisfies it, each line', async () => {
    const file = scenarioFile(`name: planned
profile: { baseUrl: "https://api.example.com", budget: { requests: 1 } }
journeys: { read: { steps: [{ createConversation: {} }, { readHistory: {} }] } }
load: { model: constant-rate, rate: 1/s, duration: 3s, noCatchUp: true }
`);
    const environment = { SPILLWAY_CLIENT_ID: 'a', SPILLWAY_CLIENT_SECRET: 'b' };
    const args = ['plan', file, '--json', '--target', 'https://api.example.com'];
    const { out, err } = await typed(args, undefined, environment);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(
      lines.map(({ kind }) => kind),
      err,
    ).toEqual(['price', 'arrival', 'arrival', 'arrival']);
    expect(lines[0]).toMatchObject({ format: 'spillway-plan', version: 1, wouldRefuse: [{}] });
    const validate = validatorOf(planJsonSchema());
    for (const line of lines) {
      expect(PlanLineSchema.safeParse(line).error?.issues).toBeUndefined();
      validate(line);
      expect(validate.errors).toBeNull();
    }
    expect(validate({ ...lines[1], user: -1 })).toBe(false);
    expect(validate({ ...lines[0], somethingNew: 1 })).toBe(true);
  });
});
