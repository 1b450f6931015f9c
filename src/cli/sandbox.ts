import type { Argv, CommandModule } from 'yargs';
import type { ConfigProblem } from '../base/index.ts';
import {
  defects,
  describeDefects,
  describeFaults,
  latencyForms,
  parseLatency,
  type RunningSandbox,
  type SandboxConfig,
  type SandboxSettings,
  settle,
  startSandbox,
} from '../sandbox/index.ts';
import { describeLimits, type LimitArguments, limitOptions, limitPlaces } from './sandbox-limits.ts';
import { type GivenSwitch, gatherSettings } from './sandbox-settings.ts';

const DEFAULT_PORT = 8_080;

/** The command line of `spillway sandbox`. Absent: what the file says, or the default. */
interface SandboxArguments extends LimitArguments {
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

export const sandboxCommand: CommandModule<unknown, SandboxArguments> = {
  command: 'sandbox',
  describe: 'Serve the embedded sandbox of the partner conversation API',
  // yargs adds each switch in camel case too; its types do not know.
  builder: (yargs) =>
    examples(limitOptions(serviceOptions(addressOptions(yargs)))).strict() as unknown as Argv<SandboxArguments>,
  handler: async (given) => {
    if (given.listDefects) return listDefects(given);
    const settings = settingsOf(given);
    const sandbox = await startSandbox(settings);
    try {
      print(given, sandbox, settle(settings));
      await askedToStop();
    } finally {
      await sandbox.close();
    }
  },
};

/** No switch has a default of its own: what is not given must not win over the file. */
function addressOptions(yargs: Argv) {
  return yargs
    .option('config', {
      type: 'string',
      describe: 'Settings from a YAML or JSON file, named as GET /_sandbox/config shows them; switches win over it.',
    })
    .option('port', { type: 'number', describe: `Port to listen on; 0 takes a free one; default ${DEFAULT_PORT}.` })
    .option('host', { type: 'string', describe: 'Address to listen on; default 127.0.0.1.' })
    .option('client-id', { type: 'string', describe: 'Client id of the application; random unless given.' })
    .option('client-secret', { type: 'string', describe: 'Client secret of the application; random unless given.' })
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
      type: 'number',
      describe: 'The same seed and requests give the same turns and answers; default 1.',
    })
    .option('clock', {
      type: 'string',
      describe: 'running (default), or manual: it stands still until POST /_sandbox/clock moves it; needs --control.',
    })
    .option('clock-rate', {
      type: 'number',
      describe: 'Service seconds per second: 60 lets a minute pass in one second; default 1.',
    })
    .option('start-time', {
      type: 'string',
      describe: 'Service time at the start, such as 2026-11-21T23:59:00Z; the present unless given.',
    })
    .option('store', {
      type: 'string',
      describe:
        'File that keeps everything, so that the service goes on where it stopped, also after kill -9; default none.',
    })
    .option('retention', {
      type: 'string',
      describe: "How long a conversation is kept after its last turn, on the service's clock; default 7d.",
    })
    .option('queued', {
      type: 'string',
      describe: `How long a turn is queued: ${latencyForms}; default lognormal:200ms:500ms.`,
    })
    .option('processing', {
      type: 'string',
      describe: 'How long a turn is then processed, written likewise; default lognormal:2s:5s.',
    })
    .option('failure-share', { type: 'number', describe: 'Share of the turns that fail, from 0 to 1; default 0.' })
    .option('token-lifetime', {
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
      type: 'string',
      describe: "By how much reads lag writes where a defect races, on the service's clock; default 20ms.",
    })
    .option('list-defects', {
      type: 'boolean',
      default: false,
      describe: 'Say what each defect does, and serve nothing.',
    });
}

/** For people, or as one line of JSON. */
function listDefects({ json }: SandboxArguments): void {
  process.stdout.write(`${json ? JSON.stringify(defects) : describeDefects()}\n`);
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

/** Where each switch stands in the settings. */
const places = {
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
} as const satisfies Partial<Record<keyof SandboxArguments, string>>;

const switchName = (argument: string): string =>
  `--${argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** @throws ConfigurationError with everything that is wrong in the file and on the command line */
export function settingsOf(given: SandboxArguments): SandboxSettings {
  const problems: ConfigProblem[] = [];
  const switches: GivenSwitch[] = [];
  for (const [argument, place] of Object.entries(places)) {
    const value = given[argument as keyof typeof places];
    if (value !== undefined) switches.push({ name: switchName(argument), place, value });
  }
  for (const phase of ['queued', 'processing'] as const) {
    const text = given[phase];
    const parsed = text === undefined ? undefined : parseLatency(text);
    if (parsed === undefined) continue;
    if ('problem' in parsed) problems.push({ path: `--${phase}`, message: parsed.problem });
    else switches.push({ name: `--${phase}`, place: `latency.${phase}`, value: parsed });
  }
  if (given.concurrencyTtl !== undefined) {
    switches.push({ name: '--concurrency-ttl', place: 'limits.concurrency.algorithm', value: 'lease' });
  }
  const defaults = { port: DEFAULT_PORT, applications: [{ label: 'a1' }] };
  return gatherSettings({ defaults, file: given.config, switches, problems });
}

/** The one place where credentials are shown (specification section 1: "displayed once"). */
function print(
  given: SandboxArguments,
  { url, port, applications, restored, clock }: RunningSandbox,
  config: SandboxConfig,
): void {
  if (given.json) {
    process.stdout.write(`${JSON.stringify({ url, port, applications, restored, clock })}\n`);
    return;
  }
  const api = `${url}/api/partners/v1`;
  const json = "-H 'Content-Type: application/json'";
  const lines = [
    `Sandbox of the partner conversation API on ${url}`,
    ...describeLimits(config.limits).map((line, index) => `  ${index === 0 ? 'limits' : '      '}    ${line}`),
    `  clock     ${describeClock(clock)}`,
    ...(config.store === undefined ? [] : [`  store     ${config.store}`]),
    ...describeBroken(config.defects),
    ...(config.control
      ? [
          `  control   GET ${url}/_sandbox/truth and /config, POST ${url}/_sandbox/revoke, GET and POST ${url}/_sandbox/clock`,
        ]
      : []),
    '',
    ...describeCredentials(applications[0], given.clientSecret !== undefined),
    '',
    'Try it:',
    `  curl -u "$SPILLWAY_CLIENT_ID:$SPILLWAY_CLIENT_SECRET" ${json} -d '{"external_user_id":"me"}' ${api}/tokens`,
    '  export TOKEN=…   # access_token of the answer',
    `  curl -H "Authorization: Bearer $TOKEN" ${json} -d '{"title":"Hello"}' ${api}/conversations`,
    `  curl -H "Authorization: Bearer $TOKEN" ${json} -d '{"client_message_id":"1","message":"Hi"}' ${api}/conversations/CONVERSATION_ID/messages`,
    `  curl -i -H "Authorization: Bearer $TOKEN" ${api}/turns/TURN_ID`,
    '',
    'Ctrl-C stops it.',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

function describeClock({ rate, serviceUs }: RunningSandbox['clock']): string {
  const from = new Date(serviceUs / 1_000).toISOString();
  return rate === 0 ? `stands at ${from} until it is moved` : `${rate} service seconds per second, from ${from}`;
}

const describeBroken = (chosen: SandboxConfig['defects']): string[] =>
  defects.filter(({ id }) => chosen.includes(id)).map(({ id, says }) => `  defect    ${id}: ${says}`);

/** @param application absent: an earlier process of the same store has shown them */
function describeCredentials(
  application: RunningSandbox['applications'][number] | undefined,
  given: boolean,
): string[] {
  if (!application) return ['Credentials: as shown when the store was begun.'];
  return [
    'Credentials, shown this once:',
    `  export SPILLWAY_CLIENT_ID='${application.clientId}'`,
    `  export SPILLWAY_CLIENT_SECRET='${given ? '(as given)' : application.clientSecret}'`,
  ];
}

/** Until Ctrl-C or SIGTERM. */
function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
