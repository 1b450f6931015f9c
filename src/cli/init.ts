import { ConfigurationError } from '../base/index.ts';
import { initProject } from '../run/index.ts';
import type { Command } from './commands.ts';

interface InitArguments {
  readonly folder: string;
}

/** `spillway init [FOLDER]` */
export const initCommand: Command<InitArguments> = {
  builder: (args) =>
    args
      .positional('folder', { type: 'string', default: '.', describe: 'Where to; nothing that exists is overwritten' })
      .example('$0 init', 'into the present folder')
      .example('$0 init load-tests', 'into a new one') as never,
  handler: ({ folder }) => {
    if (folder === '') {
      const hint = 'name a folder, or nothing for this one; if it is the value of a variable, see that it is set';
      throw new ConfigurationError([{ path: '', message: 'the folder has no name', hint }]);
    }
    for (const file of initProject(folder)) process.stdout.write(`wrote ${file}\n`);
    const there = folder === '.' ? '' : `cd ${folder} && `;
    if (there !== '')
      process.stdout.write(
        `\nGitHub reads workflows at the root of a repository alone: make ${folder} one, or move its .github there and name the folder in it\n`,
      );
    process.stdout.write(
      `\nNext: ${there}spillway run scenarios/smoke.yaml (the embedded sandbox), then edit scenarios/profiles/service.yaml\n`,
    );
  },
};
