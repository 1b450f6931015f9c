import { join } from 'node:path';
import { ExitCode } from '../../base/index.ts';
import { journalWarnings, REPORT_FILE, renderGates, renderSummary } from '../../report/index.ts';
import { reportRun } from '../../run/index.ts';
import { showInBrowser } from '../failures/open-file.ts';
import { type CsvFormatArguments, csvFormatsOf, withCsvFormat } from '../options/csv-format.ts';
import { chooseGates, type GateArguments, tellAllowed, withGates } from '../options/gate-options.ts';
import { flag, text } from '../options/switches.ts';
import { examples } from '../output/examples.ts';
import { tellGitHubOfRun } from '../output/github.ts';
import { print, printJson, tell } from '../output/print.ts';
import { forPeople } from '../output/terminal.ts';
import type { Command } from './command.ts';

interface ReportArguments extends GateArguments, CsvFormatArguments {
  readonly run: string;
  readonly out?: string | undefined;
  readonly open: boolean;
  readonly json: boolean;
}

/** `spillway report RUN` */
export const reportCommand: Command<ReportArguments> = {
  builder: (args) =>
    withCsvFormat(withGates(args))
      .positional('run', {
        type: 'string',
        demandOption: true,
        describe: 'Folder of a run, "latest" (the newest below results/), or a journal file',
      })
      .option('out', text("Folder for the result files; default the run's own"))
      .option('open', flag('Open report.html in the browser'))
      .option('json', flag('Print the summary and the gate results (member "gates") as JSON on stdout'))
      .epilogue(
        examples([
          ['report latest --open', 'open the report of the newest run'],
          ['report latest --json', 'the summary as JSON'],
          ['report latest --csv-format jtl', "also write the requests in JMeter's format"],
          ['report crashed/history.ndjson', 'the report of a run that crashed'],
        ]),
      )
      .epilogue(
        "Exit code 99: a gate fails, where --gate is given. Without --gate, the scenario's gates are printed but do not change the exit code; use spillway check for that.",
      ) as never,
  look: chooseGates,
  handler: async (args) => {
    const { folder, exported, document, gates, together, pooled } = await reportRun(args.run, {
      gates: await chooseGates(args),
      pool: { runs: args.pool, allow: args.allow },
      csvFormats: csvFormatsOf(args),
      out: args.out,
    });
    tellAllowed(pooled);
    if (args.json) printJson({ ...exported.summary, gates });
    const { stream, shown } = forPeople(args.json);
    print(
      stream,
      `${renderSummary(exported.summary, { folder, ...shown })}${renderGates(gates, { ...shown, together })}`,
    );
    for (const warning of journalWarnings(exported.journal)) tell(warning);
    tellGitHubOfRun({ summary: exported.summary, verdicts: document, gates }, stream);
    if (args.open) await showInBrowser(join(folder, REPORT_FILE));
    return args.gate.length > 0 && !gates.passed ? ExitCode.gateFailed : ExitCode.ok;
  },
};
