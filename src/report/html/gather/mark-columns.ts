import type { MarkColumns, Marks } from '../page-data.ts';

/** One exchange. Only numbers and a flag, so that a hundred thousand take about 10 MB. */
export interface Mark {
  readonly sentAt: number;
  readonly service: number;
  readonly waited: number;
  readonly kind: number;
  readonly user: number;
  readonly seq: number;
  readonly worker: number;
  readonly named: boolean;
}

export type Columns = Pick<Marks, 'columns' | 'named'>;

/** Converts marks to the columns of the page. */
export function columnsOf(marks: readonly Mark[]): Columns {
  const workers = marks.some(({ worker }) => worker >= 0);
  return {
    columns: {
      sentAt: differences(marks.map(({ sentAt }) => sentAt)),
      service: marks.map(({ service }) => service),
      waited: marks.map(({ waited }) => waited),
      kind: marks.map(({ kind }) => kind),
      user: marks.map(({ user }) => user),
      seq: differences(marks.map(({ seq }) => seq)),
      ...(workers && { worker: marks.map(({ worker }) => worker) }),
    },
    named: marks.flatMap(({ named }, i) => (named ? [i] : [])),
  };
}

export function differences(values: readonly number[]): number[] {
  return values.map((value, i) => value - (values[i - 1] ?? 0));
}

/** Approximate number of characters of the columns as JSON. */
export function lengthOf(columns: MarkColumns): number {
  return Object.values(columns).reduce((sum, column: readonly number[]) => sum + column.join(',').length, 0);
}
