import { defects, type RunningSandbox, type SandboxConfig } from '../../sandbox/index.ts';
import { describeLimits } from '../options/sandbox-limits.ts';

/**
 * The text that is printed when the sandbox has started. Credentials are shown only here and with `--json` (specification section 1:
 * "displayed once").
 */
export function describeSandbox(sandbox: RunningSandbox, config: SandboxConfig): string {
  const { url, clock } = sandbox;
  const api = `${url}/api/partners/v1`;
  const json = "-H 'Content-Type: application/json'";
  const lines = [
    `Sandbox of the partner conversation API on ${url}`,
    ...describeLimits(config.limits).map((line, index) => `  ${index === 0 ? 'limits' : '      '}    ${line}`),
    `  clock     ${describeClock(clock)}`,
    ...(config.store === undefined ? [] : [`  store     ${config.store}`]),
    ...describeBroken(config.defects),
    ...config.faults.map((rule) => `  fault     ${rule}`),
    ...(config.control
      ? [
          `  control   GET ${url}/_sandbox/truth and /config, POST ${url}/_sandbox/revoke, GET and POST ${url}/_sandbox/clock`,
        ]
      : []),
    '',
    ...describeCredentials(sandbox, config.applications),
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
  return `${lines.join('\n')}\n`;
}

function describeClock({ rate, serviceUs }: RunningSandbox['clock']): string {
  const from = new Date(serviceUs / 1_000).toISOString();
  return rate === 0
    ? `stands still at ${from} until POST /_sandbox/clock moves it`
    : `${rate} service seconds per second, from ${from}`;
}

const describeBroken = (chosen: SandboxConfig['defects']): string[] =>
  defects.filter(({ id }) => chosen.includes(id)).map(({ id, says }) => `  defect    ${id}: ${says}`);

/** The credentials of every application. Secrets that the user has given are not repeated. */
function describeCredentials(
  { applications, restored }: RunningSandbox,
  configured: SandboxConfig['applications'],
): string[] {
  const of = (label: string) => (configured.length > 1 ? ` of ${label}` : '');
  const given = configured.filter(({ clientSecret }) => clientSecret !== undefined).map(({ label }) => label);
  return [
    ...applications.flatMap(({ label, clientId, clientSecret }) => [
      `Credentials${of(label)}, printed only once:`,
      `  export SPILLWAY_CLIENT_ID=${quoted(clientId)}`,
      `  export SPILLWAY_CLIENT_SECRET=${given.includes(label) ? '…   # as given' : quoted(clientSecret)}`,
    ]),
    ...restored.map((label) => `Credentials${of(label)}: those printed when the store was created.`),
  ];
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
