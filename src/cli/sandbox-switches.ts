import type { Argv } from 'yargs';
import { describeFaults, latencyForms } from '../sandbox/index.ts';
import { type LimitArguments, limitOptions } from './sandbox-limits.ts';

/** Where `spillway sandbox` listens unless told otherwise. */
export const DEFAULT_PORT = 8_080;

/** The command line of `spillway sandbox`. Absent: what the file says, or the default. */
export interface SandboxArguments extends LimitArguments {
  config?: string | undefined;
  port?: number | undefined;
  host?: string | undefined;
  seed?: number | undefined;
  clock?: string | undefined;
  clockRate?: number | undefined;
  startTime?: string | undefined;
  store?: string | undefined;
  retention?: string | undefined;
  queued?: string | undefined;
  processing?: string | undefined;
  failureShare?: number | undefined;
  tokenLifetime?: string | undefined;
  fault?: readonly string[] | undefined;
  defect?: readonly string[] | undefined;
  defectLag?: string | undefined;
  listDefects: boolean;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  control?: boolean | undefined;
  json: boolean;
}

/** Every switch of `spillway sandbox`, with examples. None has a default of its own: what is not given must not win over the file. */
export function sandboxSwitches(yargs: Argv) {
  return examples(limitOptions(serviceOptions(addressOptions(yargs))));
}

function addressOptions(yargs: Argv) {
  return yargs
    .option('config', {
      requiresArg: true,
      type: 'string',
      describe: 'Settings from a YAML or JSON file, named as GET /_sandbox/config shows them; switches win over it.',
    })
    .option('port', {
      requiresArg: true,
      type: 'number',
      describe: `Port to listen on; 0 takes a free one; default ${DEFAULT_PORT}.`,
    })
    .option('host', { requiresArg: true, type: 'string', describe: 'Address to listen on; default 127.0.0.1.' })
    .option('client-id', {
      requiresArg: true,
      type: 'string',
      describe: 'Client id of the application; random unless given.',
    })
    .option('client-secret', {
      requiresArg: true,
      type: 'string',
      describe: 'Client secret of the application; random unless given.',
    })
    .option('control', {
      type: 'boolean',
      describe: 'Serve the control plane under /_sandbox, on a loopback host only; default no.',
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'Print address, credentials and clock as one line of JSON.',
    });
}

function serviceOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('seed', {
      requiresArg: true,
      type: 'number',
      describe: 'The same seed and requests give the same turns and answers; default 1.',
    })
    .option('clock', {
      requiresArg: true,
      type: 'string',
      describe: 'running (default), or manual: it stands still until POST /_sandbox/clock moves it; needs --control.',
    })
    .option('clock-rate', {
      requiresArg: true,
      type: 'number',
      describe: 'Service seconds per second: 60 lets a minute pass in one second; default 1.',
    })
    .option('start-time', {
      requiresArg: true,
      type: 'string',
      describe: 'Service time at the start, such as 2026-11-21T23:59:00Z; the present unless given.',
    })
    .option('store', {
      requiresArg: true,
      type: 'string',
      describe:
        'File that keeps everything, so that the service goes on where it stopped, also after kill -9; default none.',
    })
    .option('retention', {
      requiresArg: true,
      type: 'string',
      describe: "How long a conversation is kept after its last turn, on the service's clock; default 7d.",
    })
    .option('queued', {
      requiresArg: true,
      type: 'string',
      describe: `How long a turn is queued: ${latencyForms}; default lognormal:200ms:500ms.`,
    })
    .option('processing', {
      requiresArg: true,
      type: 'string',
      describe: 'How long a turn is then processed, written likewise; default lognormal:2s:5s.',
    })
    .option('failure-share', {
      requiresArg: true,
      type: 'number',
      describe: 'Share of the turns that fail, from 0 to 1; default 0.',
    })
    .option('token-lifetime', {
      requiresArg: true,
      type: 'string',
      describe: "How long a user token is good, on the service's clock; default 15min.",
    })
    .option('fault', {
      type: 'string',
      array: true,
      nargs: 1,
      describe: 'What goes wrong, as OPERATION:FAULT[:PARAMETER][:WHEN]; may be repeated. All faults stand below.',
    })
    .option('defect', {
      type: 'string',
      array: true,
      nargs: 1,
      describe:
        'What is wrong with the service itself, such as O24; may be repeated. It sets what it needs and you do not.',
    })
    .option('defect-lag', {
      requiresArg: true,
      type: 'string',
      describe: "By how much reads lag writes where a defect races, on the service's clock; default 20ms.",
    })
    .option('list-defects', {
      type: 'boolean',
      default: false,
      describe: 'Say what each defect does, and serve nothing.',
    });
}

function examples<T>(yargs: Argv<T>) {
  return yargs
    .example('$0 sandbox', 'Serve on http://127.0.0.1:8080 with the limits of the specification.')
    .example(
      '$0 sandbox --clock-rate 60 --start-time 2026-11-21T23:58:00Z',
      'A minute passes in a second; the day turns after two.',
    )
    .example('$0 sandbox --processing constant:1s --failure-share 0.1', 'Each turn takes a second; one in ten fails.')
    .example(
      "$0 sandbox --fault 'sendMessage:reset-after:p=0.05' --fault 'readTurn:status-503:#3'",
      'One message in twenty is taken without an answer; the third look at a turn fails.',
    )
    .example(
      '$0 sandbox --defect O24',
      'A service that admits one request too many; --list-defects says what else it can get wrong.',
    )
    .example(
      '$0 sandbox --rate-algorithm token-bucket --rate-burst 5 --rate-scope user --daily-day token-timezone',
      'Other limits: a bucket of five per user, and a day that turns at the midnight of the token.',
    )
    .example(
      '$0 sandbox --clock manual --control --store sandbox.db',
      'Time passes when you say so, and nothing is lost with the process.',
    )
    .example('$0 sandbox --port 0 --control --json', 'A free port and the control plane, for a test of your own.')
    .epilogue(describeFaults());
}
