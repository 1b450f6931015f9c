import { resolve } from 'node:path';
import { ConfigurationError, ExitCode, shellWord } from '../../base/index.ts';
import { initProject, starterTarball } from '../../run/index.ts';
import { examples } from '../output/examples.ts';
import type { Command } from './command.ts';

interface InitArguments {
  readonly folder: string;
}

/** `spillway init [FOLDER]` */
export const initCommand: Command<InitArguments> = {
  builder: (args) =>
    args
      .positional('folder', {
        type: 'string',
        default: '.',
        describe: 'Folder to create the files in; existing files are never overwritten',
      })
      .epilogue(
        examples([
          ['init', 'in the current folder'],
          ['init load-tests', 'in a new folder'],
        ]),
      ) as never,
  handler: ({ folder }) => {
    if (folder === '') {
      const hint =
        'name a folder, or leave it out for the current one; if you pass a shell variable, check that it is set';
      throw new ConfigurationError([{ path: '', message: 'the folder has no name', hint }]);
    }
    for (const file of initProject(folder)) process.stdout.write(`wrote ${file}\n`);
    const there = resolve(folder) === resolve('.') ? '' : `cd ${shellWord(folder)} && `;
    if (there !== '')
      process.stdout.write(
        `\nGitHub reads workflows only at the root of a repository: make ${folder} a repository, or move its .github folder to the root of yours and put the folder into the workflow's paths\n`,
      );
    process.stdout.write(
      `\nThe workflow installs ${starterTarball}: make it with npm pack in a clone of Spillway, and commit it beside .github\n`,
    );
    process.stdout.write(
      `\nNext: ${there}npx spillway run scenarios/smoke.yaml (the embedded sandbox), then edit scenarios/profiles/service.yaml; scenarios/rate-limit.yaml tests the rate limit, in two minutes\n`,
    );
    return ExitCode.ok;
  },
};
