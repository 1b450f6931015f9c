import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compilePlan } from '../plan/index.ts';
import { type ScenarioInput, ScenarioSchema } from '../scenario/index.ts';

/*
 * Checks that plans are lazy: walks ten million arrivals of each open load model and measures the heap. Exits 1 if it grows.
 */

const ARRIVALS = 10_000_000;
/** Ten million numbers alone would take 80 MB. */
const MOST_GROWTH_MB = 16;

const steps = [{ issueToken: {} }];
const scenarioOf = (load: ScenarioInput['load']): ScenarioInput => ({
  name: 'bench',
  users: 100,
  journeys: { often: { steps, weight: 3 }, seldom: { steps } },
  load,
});

const loads: readonly NonNullable<ScenarioInput['load']>[] = [
  { model: 'constant-rate', rate: '10000/s', duration: '1000s' },
  { model: 'ramping-rate', from: '0/s', stages: [{ to: '20000/s', duration: '1000s' }] },
  { model: 'steps', from: '5000/s', by: '2500/s', steps: 5, each: '200s' },
  { model: 'spike', base: '5000/s', peak: '15000/s', before: '500s', hold: '500s' },
  { model: 'poisson', rate: '10000/s', duration: '1000s' },
  { model: 'gamma', rate: '10000/s', duration: '1000s', burstiness: 0.5 },
  [
    { model: 'constant-rate', rate: '5000/s', duration: '1000s' },
    { model: 'poisson', rate: '5000/s', duration: '1000s' },
  ],
];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapMb = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
};

let failed = false;
for (const load of loads) {
  const name = [load]
    .flat()
    .map(({ model }) => model)
    .join(' and ');
  const begun = process.cpuUsage();
  const plan = compilePlan(ScenarioSchema.parse(scenarioOf(load)));
  const compiled = process.cpuUsage(begun);
  const before = heapMb();
  const walking = process.cpuUsage();
  let count = 0;
  let most = before;
  for (const _ of plan.arrivals()) if (++count % (ARRIVALS / 5) === 0) most = Math.max(most, heapMb());
  const walked = process.cpuUsage(walking);
  const growth = most - before;
  failed ||= growth > MOST_GROWTH_MB;
  const cost = (usage: NodeJS.CpuUsage) => (((usage.user + usage.system) * 1_000) / count).toFixed(0);
  console.log(
    `${name.padEnd(30)} ${count} arrivals, ${cost(walked)} ns each (and ${cost(compiled)} ns to count them), heap +${growth.toFixed(1)} MB`,
  );
}
if (failed) console.log(`the heap grew by more than ${MOST_GROWTH_MB} MB: something holds on to arrivals`);
process.exitCode = failed ? 1 : 0;
