import type { Argv, CommandModule } from 'yargs';
import { type ConfigProblem, ConfigurationError } from '../base/index.ts';
import {
  latencyForms,
  parseLatency,
  type RunningSandbox,
  type SandboxSettings,
  settle,
  startSandbox,
} from '../sandbox/index.ts';

/** The command line of `spillway sandbox`. */
interface SandboxArguments {
  port: number;
  host: string;
  seed: number;
  clockRate: number;
  startTime?: string | undefined;
  rate: number;
  concurrency: number;
  daily: number;
  queued: string;
  processing: string;
  failureShare: number;
  tokenLifetime: string;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  control: boolean;
  json: boolean;
}

export const sandboxCommand: CommandModule<unknown, SandboxArguments> = {
  command: 'sandbox',
  describe: 'Serve the embedded sandbox of the partner conversation API',
  // yargs adds each switch in camel case too; its types do not know.
  builder: (yargs) => examples(serviceOptions(addressOptions(yargs))).strict() as unknown as Argv<SandboxArguments>,
  handler: async (given) => {
    const sandbox = await startSandbox(settingsOf(given));
    try {
      print(given, sandbox);
      await askedToStop();
    } finally {
      await sandbox.close();
    }
  },
};

function addressOptions(yargs: Argv) {
  return yargs
    .option('port', { type: 'number', default: 8080, describe: 'Port to listen on; 0 takes a free one.' })
    .option('host', { type: 'string', default: '127.0.0.1', describe: 'Address to listen on.' })
    .option('client-id', { type: 'string', describe: 'Client id of the application; random unless given.' })
    .option('client-secret', { type: 'string', describe: 'Client secret of the application; random unless given.' })
    .option('control', {
      type: 'boolean',
      default: false,
      describe: 'Serve the control plane under /_sandbox, on a loopback host only.',
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
      default: 1,
      describe: 'The same seed and requests give the same turns and answers.',
    })
    .option('clock-rate', {
      type: 'number',
      default: 1,
      describe: 'Service seconds per second: 60 lets a minute pass in one second.',
    })
    .option('start-time', {
      type: 'string',
      describe: 'Service time at the start, such as 2026-11-21T23:59:00Z; the present unless given.',
    })
    .option('rate', { type: 'number', default: 20, describe: 'Requests admitted per minute and application.' })
    .option('concurrency', { type: 'number', default: 2, describe: 'Turns in process at once per application.' })
    .option('daily', { type: 'number', default: 50, describe: 'New messages per UTC day and application.' })
    .option('queued', {
      type: 'string',
      default: 'lognormal:200ms:500ms',
      describe: `How long a turn is queued: ${latencyForms}.`,
    })
    .option('processing', {
      type: 'string',
      default: 'lognormal:2s:5s',
      describe: 'How long a turn is then processed, written likewise.',
    })
    .option('failure-share', { type: 'number', default: 0, describe: 'Share of the turns that fail, from 0 to 1.' })
    .option('token-lifetime', {
      type: 'string',
      default: '15min',
      describe: "How long a user token is good, on the service's clock.",
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
    .example('$0 sandbox --port 0 --control --json', 'A free port and the control plane, for a test of your own.');
}

/** Which switch a setting comes from, for errors. */
const switches: Readonly<Record<string, string>> = {
  port: '--port',
  host: '--host',
  seed: '--seed',
  clockRate: '--clock-rate',
  startTime: '--start-time',
  'limits.rate.max': '--rate',
  'limits.concurrency.max': '--concurrency',
  'limits.daily.max': '--daily',
  failureShare: '--failure-share',
  tokenLifetime: '--token-lifetime',
  control: '--control',
  'applications.0.clientId': '--client-id',
  'applications.0.clientSecret': '--client-secret',
};

/** @throws ConfigurationError with what the switches alone can tell; the rest is checked where the sandbox starts */
function settingsOf(given: SandboxArguments): SandboxSettings {
  const problems: ConfigProblem[] = [];
  const latency = (name: 'queued' | 'processing') => {
    const parsed = parseLatency(given[name]);
    if (!('problem' in parsed)) return parsed;
    problems.push({ path: `--${name}`, message: parsed.problem });
    return undefined;
  };
  const [queued, processing] = [latency('queued'), latency('processing')];
  const settings: SandboxSettings = {
    port: given.port,
    host: given.host,
    seed: given.seed,
    clockRate: given.clockRate,
    ...(given.startTime !== undefined && { startTime: given.startTime }),
    limits: { rate: { max: given.rate }, concurrency: { max: given.concurrency }, daily: { max: given.daily } },
    latency: { ...(queued && { queued }), ...(processing && { processing }) },
    failureShare: given.failureShare,
    tokenLifetime: given.tokenLifetime,
    control: given.control,
    applications: [{ label: 'a1', clientId: given.clientId, clientSecret: given.clientSecret }],
  };
  problems.push(...problemsOf(settings));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

/** What the sandbox itself finds wrong, by the name of the switch. */
function problemsOf(settings: SandboxSettings): readonly ConfigProblem[] {
  try {
    settle(settings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map((problem) => ({ ...problem, path: switches[problem.path] ?? problem.path }));
  }
}

/** The one place where credentials are shown (specification section 1: "displayed once"). */
function print(given: SandboxArguments, { url, port, applications, clock }: RunningSandbox): void {
  if (given.json) {
    process.stdout.write(`${JSON.stringify({ url, port, applications, clock })}\n`);
    return;
  }
  const application = applications[0];
  const api = `${url}/api/partners/v1`;
  const json = "-H 'Content-Type: application/json'";
  const lines = [
    `Sandbox of the partner conversation API on ${url}`,
    `  limits    ${given.rate} requests per minute, ${given.concurrency} turns at once, ${given.daily} new messages per day`,
    `  clock     ${clock.rate} service seconds per second, from ${new Date(clock.serviceUs / 1_000).toISOString()}`,
    ...(given.control ? [`  control   GET ${url}/_sandbox/truth, POST ${url}/_sandbox/revoke`] : []),
    '',
    'Credentials, shown this once:',
    `  export SPILLWAY_CLIENT_ID='${application?.clientId}'`,
    `  export SPILLWAY_CLIENT_SECRET='${given.clientSecret === undefined ? application?.clientSecret : '(as given)'}'`,
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
