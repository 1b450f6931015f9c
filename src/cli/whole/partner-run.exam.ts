import { join } from 'node:path';
import { temporaryFolder } from '../../testing/cli.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { type BadService, serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

/** A scenario with two messages. @param profile members of its profile */
export const twoMessages = (profile: string) =>
  scenarioFile(`name: two
profile: { name: partner, ${profile} }
${WHATEVER_THE_MACHINE}
users: 2
journeys: { ask: { steps: [createConversation: {}, sendMessage: { message: Hello }] } }
load: { model: burst, count: 2 }
`);
export const dear = () => twoMessages('limits: { daily: { max: 3 } }');

/** Runs a test with its own service, so that all requests to it come from this test. */
export async function withService<T>(test: (service: BadService) => Promise<T>): Promise<T> {
  const service = await serveBadly();
  try {
    return await test(service);
  } finally {
    await service.close();
  }
}

export function run(...args: readonly string[]) {
  return withService(async (service) => {
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', ...args, '--target', service.url, '--out', folder, '--quiet'];
    const finished = await typed(all, undefined, someCredentials);
    return { ...finished, folder, url: service.url, asked: service.asked.length, connections: service.connections() };
  });
}
