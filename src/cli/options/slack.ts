import type { Argv } from 'yargs';
import { type ConfigProblem, ConfigurationError, parseDuration } from '../../base/index.ts';
import { type CompareOptions, usualSlack } from '../../run/index.ts';
import { text } from './switches.ts';

/** Differences that do not matter, as given. */
export interface SlackArguments {
  readonly slackRelative: string;
  readonly slackAbsolute: string;
  readonly slackShare: string;
}

export const withSlack = <T>(args: Argv<T>) =>
  args
    .option('slack-relative', {
      ...text(
        'Relative difference of a time that does not matter; a difference matters only beyond this and --slack-absolute',
      ),
      default: '5%',
    })
    .option('slack-absolute', { ...text('Absolute difference of a time that does not matter'), default: '1ms' })
    .option('slack-share', {
      ...text('Difference of a share that does not matter, in percentage points'),
      default: '1%',
    });

/** @throws ConfigurationError with every invalid slack */
export function slackOf({ slackRelative, slackAbsolute, slackShare }: SlackArguments): CompareOptions['slack'] {
  const problems: ConfigProblem[] = [];
  const shareOf = (path: string, text: string, usual: number): number => {
    const [, number, percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text) ?? [];
    const share = Number(number) / (percent === '%' ? 100 : 1);
    // Above 1 without %: refused, because 5 usually means 5 %.
    const most = path === '--slack-share' || percent === '' ? 1 : Number.POSITIVE_INFINITY;
    if (number !== undefined && share <= most) return share;
    problems.push({
      path,
      message: `"${text}" is not a share${path === '--slack-share' ? ' from 0% to 100%' : ''}`,
      hint: 'write for example 5% or 0.05',
    });
    return usual;
  };
  const ms = parseDuration(slackAbsolute);
  if (ms === undefined) {
    problems.push({
      path: '--slack-absolute',
      message: `"${slackAbsolute}" is not a duration`,
      hint: 'write for example 5ms',
    });
  }
  const slack = {
    relative: shareOf('--slack-relative', slackRelative, usualSlack.relative),
    absoluteMs: ms ?? usualSlack.absoluteMs,
    absoluteShare: shareOf('--slack-share', slackShare, usualSlack.absoluteShare),
  };
  if (problems.length > 0) throw new ConfigurationError(problems);
  return slack;
}
