import { findingKinds } from '../check/index.ts';
import {
  limitGateNames,
  metricNames,
  metricOf,
  metrics,
  type TagName,
  tagsOf,
  writtenAggregations,
} from '../metrics/index.ts';
import type { ColumnDoc } from './column-doc.ts';
import type { Exporter } from './exporters/exporter.ts';
import { csvFormats, exporters } from './exporters/index.ts';
import { GATES_FILE, gatesJsonSchema } from './gates-json.ts';
import { journalDocs } from './journal-docs/index.ts';
import { outputs } from './outputs/index.ts';
import { table as markdownTable } from './outputs/markdown-text.ts';
import { documentedMembers } from './published-schema.ts';
import { runFactsJsonSchema } from './run-facts.ts';
import { VERDICTS_FILE, verdictsJsonSchema } from './verdicts-json.ts';

/** Files of a run's folder that are not made by an exporter. */
const otherFiles: readonly Pick<Exporter, 'file' | 'holds'>[] = [
  {
    file: 'run.json',
    holds: 'what ran, against what, on which machine; its JSON Schema is `src/report/schemas/run.schema.json`',
  },
  { file: 'history.ndjson', holds: 'the journal: every record of the run; everything below is made from it' },
  {
    file: VERDICTS_FILE,
    holds:
      'whether each limit was kept, with a proof of each violation, and other findings; its JSON Schema is `src/report/schemas/verdicts.schema.json`',
  },
  {
    file: GATES_FILE,
    holds: 'the result of each gate, with the numbers; its JSON Schema is `src/report/schemas/gates.schema.json`',
  },
];

/** The generated tables of `results/README.md` by the names of their markers. */
function tables(): Readonly<Record<string, string>> {
  const files = [...otherFiles, ...Object.values(exporters), ...Object.values(csvFormats), ...Object.values(outputs)];
  const columnTables = [...Object.values(exporters), ...Object.values(csvFormats)].map(
    ({ file, columns }) => [file, columnTable(columns)] as const,
  );
  return {
    files: table(
      ['file', 'holds'],
      files.map(({ file, holds }) => [`\`${file}\``, holds]),
    ),
    ...Object.fromEntries(Object.entries(journalDocs).map(([kind, docs]) => [`journal ${kind}`, columnTable(docs)])),
    'run.json': memberTable(runFactsJsonSchema()),
    [VERDICTS_FILE]: memberTable(verdictsJsonSchema()),
    [GATES_FILE]: memberTable(gatesJsonSchema()),
    findings: table(
      ['kind', 'what it means'],
      Object.entries(findingKinds).map(([kind, { says }]) => [`\`${kind}\``, says]),
    ),
    metrics: metricTable(),
    'gate metrics': gateMetricTable(),
    ...Object.fromEntries(columnTables),
  };
}

/**
 * Regenerates the tables of `results/README.md`.
 * @param readme the current text, with a pair of markers for every table
 * @throws Error if a marker is missing, because a file would then be undocumented
 */
export function withGeneratedTables(readme: string): string {
  return Object.entries(tables()).reduce((text, [name, content]) => {
    const begin = `<!-- ${name}: begin (generated) -->`;
    const end = `<!-- ${name}: end -->`;
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from)
      throw new Error(
        `results/README.md lacks the markers of ${name}: where its table is to stand, write ${begin} and ${end}`,
      );
    return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
  }, readme);
}

/** The metrics in `latency.hlog`, which has only distributions. */
function metricTable(): string {
  const trends = metricNames.filter((name) => metrics[name].type === 'trend');
  return table(
    ['metric', 'tags', 'meaning'],
    trends.map((name) => [`\`${name}\``, metrics[name].tags.join(', '), metrics[name].description]),
  );
}

const gateUnits = { us: 'ms', count: '', bytes: 'bytes', share: '0 to 1' } as const;

/** All metrics and limits that gates can refer to. */
function gateMetricTable(): string {
  const rows = metricNames.map((name) => {
    const { type, unit, defaults, description } = metricOf(name);
    const tag = (one: TagName) => (defaults?.[one] === undefined ? one : `${one} (default ${defaults[one]})`);
    return [
      `\`${name}\``,
      writtenAggregations(type).join(', '),
      gateUnits[unit],
      tagsOf(name).map(tag).join(', '),
      description,
    ];
  });
  const limits = limitGateNames.map((name) => `\`${name}\``).join(', ');
  const limitRow = [limits, 'held, not violated', '', '', 'The verdict on a limit, from `verdicts.json`.'];
  return table(['metric', 'what can be asked', 'unit', 'tags', 'meaning'], [...rows, limitRow]);
}

const memberTable = (schema: Parameters<typeof documentedMembers>[0]): string => columnTable(documentedMembers(schema));

const columnTable = (columns: readonly ColumnDoc[]): string =>
  table(
    ['name', 'unit', 'meaning'],
    columns.map(({ name, unit, meaning }) => [`\`${name}\``, unit ?? '', meaning]),
  );

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable(
    head,
    rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|'))),
  ).join('\n');
