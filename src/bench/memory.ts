import { runOwn } from './load/load-own.ts';
import { startLoadServer } from './load/load-server.ts';
import { paced } from './load/load-workloads.ts';
import { optionsOf } from './options.ts';

/*
 * Resident memory of a long run after its first minute (or its first fifth, if that is shorter) and at its end. Exits 1 if it grew by
 * more than a tenth, or above 250 MB.
 *
 *   npm run build && node --import jiti/register src/bench/memory.ts [--seconds 600] [--rate 5000]
 */

const given = optionsOf('npm run bench:memory --', {
  seconds: { type: 'string', default: '120' },
  rate: { type: 'string', default: '5000' },
});
const [seconds, rate] = [Number(given.seconds), Number(given.rate)];
const MOST_MB = 250;

const server = await startLoadServer();
const run = await runOwn(paced(seconds, rate, 50), server.port);
await server.close();
run.remove();

const mb = run.memory.map((bytes) => bytes / 1e6);
const early = Math.min(60, Math.floor(seconds / 5));
/** The maximum around a second, because memory is lower just after a garbage collection. */
const around = (second: number) => Math.max(...mb.slice(Math.max(0, second - 5), second + 5));
const [first, last] = [around(early), around(mb.length - 5)];
const every = Math.max(1, Math.floor(mb.length / 12));
console.log(
  `${rate}/s for ${seconds} s: MB by second: ${mb
    .filter((_, index) => index % every === 0)
    .map(Math.round)
    .join(' ')}`,
);
console.log(
  `${first.toFixed(0)} MB after ${early} s, ${last.toFixed(0)} MB at the end: ${(last / first).toFixed(2)} ×; most ${Math.max(...mb).toFixed(0)} MB`,
);
// Without /proc nothing is measured, which is no success.
if (!(last > 0 && last <= first * 1.1 && last <= MOST_MB)) process.exitCode = 1;
