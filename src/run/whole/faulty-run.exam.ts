import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { type Streaming, serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

/** Runs a scenario against a bad service; `lines` are its journeys and load. */
export async function run(
  lines: string,
  answers: Parameters<typeof serveBadly>[0],
  stream?: Streaming,
): Promise<
  { readonly code: number | null; readonly err: string; readonly out: string } & ReturnType<typeof resultsIn>
> {
  const service = await serveBadly(answers, stream);
  const folder = temporaryFolder();
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, `name: faulty\nprofile: { client: { deadline: 700ms, connections: 4 } }\n${lines}`);
  const args = ['run', scenario, '--target', service.url, '--out', join(folder, 'out'), '--quiet'];
  const { code, err, out } = await typed(args, undefined, someCredentials);
  await service.close();
  return { code, err, out, ...resultsIn(join(folder, 'out')) };
}
