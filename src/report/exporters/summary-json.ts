import { inertJson } from '../../base/index.ts';
import { summaryDocument } from '../judged.ts';
import { documentedMembers } from '../published-schema.ts';
import { summaryJsonSchema } from '../summary-schema.ts';
import type { Export, Exporter } from './exporter.ts';

/** `summary.json`: everything measured, as plain data. */
export const summaryJson: Exporter = {
  file: 'summary.json',
  holds: 'everything measured, for machines; its JSON Schema is `src/report/schemas/summary.schema.json`',
  get columns() {
    return documentedMembers(summaryJsonSchema());
  },
  open(judged): Export {
    return { add: () => '', finish: (measured) => [inertJson(summaryDocument(measured.summary(), judged))] };
  },
};
