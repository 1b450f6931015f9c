import { z } from 'zod';
import { count, formatOf, MachineSchema, memberOf, micros, publishedSchema, share, text } from '../../report/index.ts';
import type { Capacity } from '../calibrate/capacity.ts';
import { CALIBRATION_FORMAT, CALIBRATION_VERSION, type Calibration } from '../calibrate/index.ts';
import type { Pacing } from '../calibrate/pacing.ts';

const capacity = (description: string) =>
  memberOf<Capacity>(description, {
    requests: count('Requests that were answered'),
    seconds: share('How long that took'),
    perSecond: share('Requests per second'),
    perCpuSecond: share('Requests per second of CPU time: the rate of one core without other work'),
  });

const PacingSchema = memberOf<Pacing>('How precisely one rate was paced', {
  rate: share('Arrivals per second, as planned'),
  planned: count('Planned arrivals'),
  sent: count('Number of them that were sent, after the warm-up'),
  lagP50Us: micros('How late requests left, the median, without waits for a connection or a token'),
  lagP99Us: micros('The same, the 99th percentile'),
  lagMaxUs: micros('The same, the maximum'),
  fastestSecondMs: share(
    "The shortest time in which a second's worth of arrivals left, ms; absent if less than that was measured",
  ).optional(),
  cpuShare: share('CPU time divided by wall time; near 1 while it waits in turns of the loop'),
});

/** The compiler checks that it has exactly the members of the type. */
export const CalibrationSchema: z.ZodType<Calibration> = memberOf<Calibration>('What this machine can send', {
  ...formatOf(CALIBRATION_FORMAT, CALIBRATION_VERSION),
  tool: text('Name and version of the tool'),
  machine: MachineSchema,
  ours: capacity('One thread of spillway, closed loop, everything recorded'),
  autocannon: capacity('autocannon in the same setting, which records nothing: a cross-check'),
  pacing: z.array(PacingSchema).describe('In the order of the rates'),
});

/** The published JSON Schema (draft 2020-12). */
export const calibrationJsonSchema = () =>
  publishedSchema(CalibrationSchema, `spillway calibrate --json, version ${CALIBRATION_VERSION}`);
