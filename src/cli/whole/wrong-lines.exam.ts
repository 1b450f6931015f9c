import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, shipped, temporaryFolder } from '../../testing/cli.ts';
import { typed } from '../../testing/typed.ts';

export const smoke = shipped('smoke.yaml');

type Files = Readonly<Record<string, string>>;

/** Files for the command lines, in a temporary folder. */
export function folderOf(files: Files): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

export const badFiles = {
  'bad.yaml': `name: bad
journey: {}
journeys:
  ask:
    steps:
      - sendMesage: { message: Hello }
      - pause: 5
load: { model: constant-rate, rate: 1, duration: soon }
`,
  'throws.ts': "const database = 'none';\nthrow new Error(`no ${database}`);\n",
  'notes.txt': 'not a history\n',
};

export const ofBadFile = [
  'bad.yaml:2:1 journey: unknown key "journey"; did you mean journeys?',
  'bad.yaml:6:9 journeys.ask.steps[0].sendMesage: there is no step "sendMesage"; did you mean sendMessage?',
  'bad.yaml:7:16 journeys.ask.steps[1].pause: must be a duration such as 250ms, 1.5s or 2min or an object, not 5; write 5s or 5ms',
  'bad.yaml:8:37 load.rate: must be a rate with its unit, not 1; write for example 20/min, 0.5/s or 50/day',
  'bad.yaml:8:50 load.duration: "soon" is not a duration; write for example 250ms, 1.5s, 2min or 1h',
];

/** Arguments, exit code, and all lines of output. */
type WrongLine = readonly [args: readonly string[], code: number, said: readonly string[]];

/** Each line, typed in a folder with these files, says this and nothing else. */
export function wrongLines(files: Files, table: readonly WrongLine[]): void {
  it.each(table.map(([args, code, said]) => ({ line: args.join(' ').replaceAll(root, '…'), args, code, said })))(
    'spillway $line',
    async ({ args, code, said }) => {
      const finished = await typed(args, folderOf(files));
      expect(finished.err.trimEnd().split('\n')).toEqual(said);
      expect(finished.code).toBe(code);
      expect(finished.out).toBe('');
    },
  );
}
