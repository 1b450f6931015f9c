import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { days, defectIds, rateAlgorithmNames, transportChoices } from './api/index.ts';
import { ruleNames } from './check/verify/rules.ts';
import { commands, wordOf } from './cli/commands.ts';
import { loadModelNames } from './plan/load-models/index.ts';
import { exporters } from './report/exporters/index.ts';
import { outputs } from './report/outputs/index.ts';
import { faultNames } from './sandbox/faults/rule.ts';
import { stepNames } from './scenario/schema/steps.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
const guide = read('scenarios/README.md');

const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
const words = `${SMALL} seventeen eighteen nineteen twenty`.split(' ');
/** As the documents write a number. */
const inWords = ({ length }: readonly unknown[]): string => words[length] ?? String(length);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** The code words of a part of the text. */
const named = (from: string, to: string): string[] => {
  const [, part = ''] = readme.split(from);
  return [...(part.split(to)[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name ?? '');
};

const below = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
const files = ['src', 'scenarios'].flatMap(below);
const texts = ['README.md', 'results/README.md', ...files.filter((path) => path.endsWith('.md'))];

describe('all texts', () => {
  it('name only sources that exist', () => {
    const paths = /`([\w/-]+(?:\.(?:laws|exam|test))*\.ts)`/g;
    const named = texts.flatMap((text) => [...read(text).matchAll(paths)].map(([, path = '']) => ({ text, path })));
    expect(named.length).toBeGreaterThan(200);
    const isThere = (path: string) => path.startsWith('x.') || files.some((file) => `/${file}`.endsWith(`/${path}`));
    expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
  });
});

describe('the README', () => {
  it('says of how many there are how many there are', () => {
    expect(readme).toContain(`| limits | ${inWords(rateAlgorithmNames)} rate-limit algorithms; `);
    expect(readme).toContain(`; ${inWords(days)} kinds of day; `);
    expect(readme).toContain(`| faults | ${inWords(faultNames)} ways in which an answer or a stream can fail, `);
    expect(readme).toContain(`| defects | ${defectIds.length} defects modelled on real limiters; `);
    expect(readme).toContain(`Of ${defectIds.length} known defects\n`);
    expect(guide).toContain(`[${defectIds.length} known defects]`);
    expect(guide).toContain(`(\`spillway sandbox --help\` lists ${inWords(faultNames)} ways)`);
    expect(read('src/trials/README.md')).toContain(`Of ${defectIds.length} defects `);
  });

  it('names every step and every load model', () => {
    expect(named('Steps send requests (', '; each can').sort()).toEqual([...stepNames].sort());
    const models = named(`${capital(inWords(loadModelNames))} load models say when journeys start: `, 'Loads run side');
    expect(models.sort()).toEqual([...loadModelNames].sort());
  });

  it('names every file of a run', () => {
    const [, rows = ''] = readme.split('| file | what |\n|---|---|\n');
    const cells = (rows.split('\n\n')[0] ?? '').split('\n').map((row) => row.split(' | ')[0] ?? '');
    const files = cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
    const made = [...Object.values(exporters), ...Object.values(outputs)].map(({ file }) => file);
    expect(made.filter((file) => !files.includes(file))).toEqual([]);
  });

  it('and the other texts name every transport: the guide, the profile, the help', () => {
    const [, rows = ''] = guide.split('| transport | what it is |\n|---|---|\n');
    const named = [...(rows.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...transportChoices].sort());
    const told = (text: string | undefined) => transportChoices.filter((name) => !text?.includes(name));
    expect(told(/'The HTTP client\. .*'/.exec(read('src/api/client-settings.ts'))?.[0])).toEqual([]);
    expect(told(/"HTTP client; .*"/.exec(read('src/cli/options/run-switches.ts'))?.[0])).toEqual([]);
    const { length } = transportChoices.filter((name) => name !== 'auto');
    expect(read('src/ARCHITECTURE.md')).toContain(`| There are ${words[length]} transports; `);
  });

  it('and the text about results explains every rule of proof', () => {
    const [, part = ''] = read('results/README.md').split('### Rules of proof\n');
    const rows = (part.split('### ')[0] ?? '').split('\n').map((row) => row.split(' | ')[0] ?? '');
    const explained = rows.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(explained.sort()).toEqual([...ruleNames].sort());
  });

  it('names every command', () => {
    expect(readme).toContain(`\`spillway ${[...commands.map(wordOf), 'completion'].join(' | ')}\`, each with`);
  });
});
