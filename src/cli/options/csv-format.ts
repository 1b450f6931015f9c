import type { Argv } from 'yargs';
import { type CsvFormat, csvFormatNames } from '../../report/index.ts';

export interface CsvFormatArguments {
  readonly csvFormat?: CsvFormat | undefined;
}

/** `--csv-format jtl` */
export const withCsvFormat = <T>(args: Argv<T>) =>
  args.option('csv-format', {
    choices: csvFormatNames,
    requiresArg: true,
    describe: "Also write the requests in another tool's CSV format: jtl for JMeter (requests.jtl)",
  });

export const csvFormatsOf = ({ csvFormat }: CsvFormatArguments): readonly CsvFormat[] =>
  csvFormat === undefined ? [] : [csvFormat];
