import type { Argv } from 'yargs';
import { describeFaults, latencyForms } from '../../sandbox/index.ts';
import { examples } from '../output/examples.ts';
import { limitOptions, limitPlaces } from './sandbox-limits.ts';
import { flag, number, text } from './switches.ts';

/** Default port of `spillway sandbox`. */
export const DEFAULT_PORT = 8_080;

/** The path of each switch in the settings. */
export const places = {
  port: 'port',
  host: 'host',
  seed: 'seed',
  clock: 'clock',
  clockRate: 'clockRate',
  startTime: 'startTime',
  store: 'store',
  retention: 'retention.time',
  ...limitPlaces,
  failureShare: 'failureShare',
  tokenLifetime: 'tokenLifetime',
  fault: 'faults',
  defect: 'defects',
  defectLag: 'defectLag',
  control: 'control',
  clientId: 'applications.0.clientId',
  clientSecret: 'applications.0.clientSecret',
} as const;

/** The command line of `spillway sandbox`. Absent: the value of the file, or the default. Values of settings are checked by their schema. */
export type SandboxArguments = { readonly [argument in keyof typeof places]?: unknown } & {
  readonly config?: string | undefined;
  readonly queued?: string | undefined;
  readonly processing?: string | undefined;
  readonly listDefects: boolean;
  readonly json: boolean;
};

/** Every switch of `spillway sandbox`, with examples. Switches for settings have no default in yargs, because it would override the file. */
export function sandboxSwitches(yargs: Argv) {
  return withExamples(limitOptions(faultOptions(serviceOptions(clockOptions(addressOptions(yargs))))));
}

function addressOptions(yargs: Argv) {
  return yargs
    .option(
      'config',
      text(
        'Read settings from a YAML or JSON file, in the shape that GET /_sandbox/config shows; switches override it.',
      ),
    )
    .option('port', number(`Port to listen on; 0 picks a free one; default ${DEFAULT_PORT}.`))
    .option('host', text('Address to listen on; default 127.0.0.1.'))
    .option('client-id', text('Client id of the application; default random.'))
    .option('client-secret', text('Client secret of the application; default random.'))
    .option('control', {
      type: 'boolean',
      describe: 'Serve the control plane under /_sandbox; needs a loopback host; default off.',
    })
    .option('json', flag('Print address, credentials and clock as one JSON line.'));
}

function clockOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('seed', number('Random seed: the same seed and requests give the same turns and answers; default 1.'))
    .option(
      'clock',
      text('running (default) or manual. A manual clock moves only by POST /_sandbox/clock and needs --control.'),
    )
    .option('clock-rate', number('Speed of the service clock: with 60, a minute passes in one second; default 1.'))
    .option(
      'start-time',
      text(
        'Service time at the start, such as 2026-11-21T23:59:00Z; default now. A store continues from its own time instead.',
      ),
    );
}

function serviceOptions<T>(yargs: Argv<T>) {
  return yargs
    .option(
      'store',
      text('Database file. The service resumes from it after a restart, even after kill -9; default none (in memory).'),
    )
    .option('retention', text('How long a conversation is kept after its last turn, in service time; default 7d.'))
    .option('queued', text(`How long a turn is queued: ${latencyForms}; default lognormal:200ms:500ms.`))
    .option('processing', text('How long a turn is then processed, in the same form; default lognormal:2s:5s.'))
    .option('failure-share', number('Share of turns that fail, from 0 to 1; default 0.'))
    .option('token-lifetime', text('Lifetime of a user token, in service time; default 15min.'));
}

function faultOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('fault', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'Inject a fault: OPERATION:FAULT[:PARAMETER][:WHEN]; may be repeated. All faults are listed below.',
    })
    .option('defect', {
      type: 'string',
      array: true,
      nargs: 1,
      describe:
        'Build a known defect into the service, such as O24; may be repeated. It also sets the other settings that it needs, unless you set them.',
    })
    .option(
      'defect-lag',
      text(
        'For defects that are race conditions: how long after a write reads still see the old state, in service time; default 20ms.',
      ),
    )
    .option('list-defects', flag('Describe every defect and exit.'));
}

function withExamples<T>(yargs: Argv<T>) {
  return yargs
    .epilogue(
      examples([
        ['sandbox', 'Serve on http://127.0.0.1:8080 with the limits of the specification.'],
        [
          'sandbox --clock-rate 60 --start-time 2026-11-21T23:58:00Z',
          'A minute passes in one second; the day ends after two seconds.',
        ],
        ['sandbox --processing constant:1s --failure-share 0.1', 'Each turn takes a second; one in ten fails.'],
        [
          "sandbox --fault 'sendMessage:reset-after:p=0.05' --fault 'readTurn:status-503:#3'",
          'One message in twenty is accepted but its answer is lost; the third poll of a turn fails.',
        ],
        ['sandbox --defect O24', 'A service that admits one request too many; --list-defects lists all defects.'],
        [
          'sandbox --rate-algorithm token-bucket --rate-burst 5 --rate-scope user --daily-day token-timezone',
          "Other limits: a token bucket of five per user, and a day that ends at midnight in the token's time zone.",
        ],
        [
          'sandbox --clock manual --control --store sandbox.db',
          'A clock that you set, and a store that outlives the process.',
        ],
        ['sandbox --port 0 --control --json', 'A free port and the control plane, for your own tests.'],
      ]),
    )
    .epilogue(describeFaults());
}
