/**
 * report/ presents and stores runs: the files of a run's folder, each written by one exporter, and the terminal output during and
 * after a run. Except for run.json, its output derives from the journal and can be rebuilt byte for byte. It must not measure,
 * judge, wait or examine the machine: numbers come from collect/, verdicts from check/ and gates/, the time and the terminal's width
 * from run/.
 */
export { COMPARISON_PAGE, writeComparison } from './comparison-json.ts';
export { type Exported, exportAll } from './export-all.ts';
export { type CsvFormat, csvFormatNames } from './exporters/index.ts';
export { REPORT_FILE } from './exporters/report-html.ts';
export { formatCount, plural } from './formatters.ts';
export { GATES_FILE, writeGates } from './gates-json.ts';
export { LivePage, livePage } from './html/live-page.ts';
export type { LiveMessage } from './html/page-data.ts';
export { incompleteText, isOverBudget, lackSentence, NEVER_CHECKED } from './incomplete.ts';
export type { Judged, SummaryDocument } from './judged.ts';
export { renderComparisonMarkdown } from './outputs/comparison-markdown.ts';
export { githubAnnotations, githubComparisonAnnotations, githubRoundsAnnotations } from './outputs/github.ts';
export { writeOutputs, writeRoundsOutputs } from './outputs/index.ts';
export { liveMetrics, OPENMETRICS_TYPE } from './outputs/live-metrics.ts';
export { renderMarkdown } from './outputs/markdown.ts';
export type { JudgedRun } from './outputs/output.ts';
export type { JudgedRounds } from './outputs/rounds.ts';
export { renderRoundsMarkdown } from './outputs/rounds-markdown.ts';
export { publishedSchema } from './published-schema.ts';
export { ROUNDS_FILE, type RoundRun, type Rounds, readRounds, roundsDocument, writeRounds } from './rounds-json.ts';
export { writeRunFacts } from './run-facts.ts';
export { count, flag, formatOf, memberOf, micros, objectOf, share, text } from './schemas/parts.ts';
export { MachineSchema, type RunFacts } from './schemas/run-facts.ts';
export { describeBottleneck } from './terminal/bottlenecks.ts';
export { renderComparison } from './terminal/comparison.ts';
export { renderGates } from './terminal/gates.ts';
export { presentWarnings } from './terminal/health-warnings.ts';
export { journalWarnings } from './terminal/journal-warnings.ts';
export type { LiveState } from './terminal/live-state.ts';
export { liveView } from './terminal/live-view.ts';
export { renderSummary } from './terminal/summary-table.ts';
export { renderVerdictsDocument } from './terminal/verdicts.ts';
export { VERDICTS_FILE, type VerdictsDocument, writeVerdicts } from './verdicts-json.ts';
