import type { Header } from '../../history/index.ts';
import type { FindingFold } from '../finding.ts';
import type { KnownRows } from '../rows.ts';
import { listFindings } from './list.ts';
import { LookGatherer } from './look.ts';

export { findingKinds } from './registry.ts';

/** Findings beside the limits: each record is examined once, and all kinds of findings share what was collected. */
function lookAround(header: Header, rows: KnownRows): FindingFold {
  const gatherer = new LookGatherer(header, rows);
  return {
    addExchange: (exchange, row, turn) => gatherer.addExchange(exchange, row, turn),
    addStream: (record, turn) => gatherer.addStream(record, turn),
    finish: (evidence, declared) => listFindings(gatherer.finish(evidence, declared)),
  };
}

/** Every family of findings. Adding one is a file and a line. */
export const findingFolds: readonly ((header: Header, rows: KnownRows) => FindingFold)[] = [lookAround];
