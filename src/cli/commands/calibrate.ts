import { ConfigurationError, ExitCode } from '../../base/index.ts';
import { CALIBRATION_RATES, calibrate, renderCalibration } from '../../run/index.ts';
import { flag, number } from '../options/switches.ts';
import { examples } from '../output/examples.ts';
import { tell } from '../output/print.ts';
import type { Command } from './command.ts';

interface CalibrateArguments {
  readonly json: boolean;
  readonly seconds: number;
}

/** `spillway calibrate` */
export const calibrateCommand: Command<CalibrateArguments> = {
  builder: (args) =>
    args
      .option('seconds', { ...number('Seconds for each of the six measurements, 1 to 60'), default: 2 })
      .option('json', flag('Print one JSON object on stdout'))
      .epilogue(
        examples([
          ['calibrate', 'takes about half a minute'],
          ['calibrate --seconds 10 --json', 'more precise, as JSON'],
        ]),
      ) as never,
  look: secondsOf,
  handler: async ({ json, seconds }) => {
    secondsOf({ seconds });
    const calibration = await calibrate({
      seconds,
      rates: CALIBRATION_RATES,
      tell: (what) => tell(`measuring ${what}`),
    });
    process.stdout.write(json ? `${JSON.stringify(calibration)}\n` : renderCalibration(calibration));
    return ExitCode.ok;
  },
};

function secondsOf({ seconds }: Pick<CalibrateArguments, 'seconds'>): void {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 60) return;
  throw new ConfigurationError([{ path: '--seconds', message: 'must be a whole number from 1 to 60' }]);
}
