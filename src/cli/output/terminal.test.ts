import { afterEach, describe, expect, it, vi } from 'vitest';
import { forPeople } from './terminal.ts';

const streams = { stdout: process.stdout, stderr: process.stderr };

/** Makes one stream a terminal, the other one none, in an environment with only these of the variables that matter. */
function atTerminal(name: keyof typeof streams, env: Readonly<Record<string, string>>): void {
  for (const variable of ['NO_COLOR', 'TERM']) vi.stubEnv(variable, env[variable]);
  for (const [one, stream] of Object.entries(streams)) Object.assign(stream, { isTTY: one === name });
}
const were = Object.values(streams).map((stream) => [stream, stream.isTTY] as const);
afterEach(() => {
  vi.unstubAllEnvs();
  for (const [stream, isTTY] of were) Object.assign(stream, { isTTY });
});

describe('what is shown to people', () => {
  it.each([
    { env: {}, colourful: true },
    { env: { TERM: 'xterm' }, colourful: true },
    { env: { NO_COLOR: '1' }, colourful: false },
    { env: { NO_COLOR: '' }, colourful: true },
    { env: { TERM: 'dumb' }, colourful: false },
  ])('at a terminal with $env has colours: $colourful; elsewhere never', ({ env, colourful }) => {
    atTerminal('stdout', env);
    expect([forPeople(false).shown.color, forPeople(true).shown.color]).toEqual([colourful, false]);
    atTerminal('stderr', env);
    expect([forPeople(false).shown.color, forPeople(true).shown.color]).toEqual([false, colourful]);
  });

  it('is on the standard output, unless that is for JSON', () => {
    expect([forPeople(false).stream, forPeople(true).stream]).toEqual([process.stdout, process.stderr]);
  });
});
