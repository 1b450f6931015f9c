import type { Argv } from 'yargs';
import { type CsvFormat, csvFormatNames } from '../report/index.ts';

export interface CsvFormatArguments {
  readonly csvFormat?: CsvFormat | undefined;
}

/** `--csv-format jtl` */
export const withCsvFormat = <T>(args: Argv<T>) =>
  args.option('csv-format', {
    choices: csvFormatNames,
    requiresArg: true,
    describe: "Write the requests in another tool's CSV too: jtl is JMeter's (requests.jtl)",
  });

export const csvFormatsOf = ({ csvFormat }: CsvFormatArguments): readonly CsvFormat[] =>
  csvFormat === undefined ? [] : [csvFormat];
