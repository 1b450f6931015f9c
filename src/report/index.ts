/**
 * report/ knows how a run is shown and kept: the files of a run's folder, each by one exporter, and the text that people
 * read in a terminal, while a run goes on and after it.
 * It folds over the journal alone, so that what it writes can be rebuilt bit for bit. It must not measure, judge, wait or
 * look at the machine: numbers come from collect/, verdicts from check/ and gates/, the moment and the width from run/.
 */
export { type Exported, exportAll } from './export-all.ts';
export { GATES_FILE, writeGates } from './gates-json.ts';
export { type RunFacts, writeRunFacts } from './run-facts.ts';
export { renderGates } from './terminal/gates.ts';
export { journalWarnings } from './terminal/journal-warnings.ts';
export { type LiveState, type LiveView, liveView } from './terminal/live-view.ts';
export { renderSummary } from './terminal/summary-table.ts';
export { renderVerdictsDocument } from './terminal/verdicts.ts';
export { VERDICTS_FILE, type VerdictsDocument, writeVerdicts } from './verdicts-json.ts';
