import Table from 'cli-table3';

export interface LayoutColumn {
  /** In characters, including the space to the left neighbour. */
  readonly width: number;
  readonly align: 'left' | 'right';
}

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const;

export interface LayoutOptions {
  /** Whether long cells are wrapped; otherwise they are cut and end with `…`. */
  readonly wrap?: boolean;
}

/** Formats rows in columns of fixed widths without borders. No line exceeds the total width; colours take no width. */
export function layOut(
  columns: readonly LayoutColumn[],
  rows: readonly (readonly string[])[],
  options: LayoutOptions = {},
): string[] {
  if (rows.length === 0) return [];
  const table = new Table({
    chars: BORDERLESS,
    // Disables the colours of the library for head and borders.
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: columns.map((column) => column.width),
    colAligns: columns.map((column) => column.align),
    wordWrap: options.wrap ?? false,
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Minimum width; on a narrower terminal lines are too long, because a name and its counts would not fit. */
const NARROWEST = 40;

/** The width of the layout: that of the terminal, at least 40; default 80. */
export const widthOf = (columns = 80): number => Math.max(NARROWEST, columns);

const LABEL_WIDTH = 14;
/** Minimum width of the text; on narrower terminals labels are narrowed first. */
const NARROWEST_TEXT = 18;

/** Lines of the form `label  text`; the text is wrapped in the remaining width. */
export function labelled(rows: readonly (readonly [label: string, text: string])[], columns: number): string[] {
  const label = Math.max(8, Math.min(LABEL_WIDTH, columns - NARROWEST_TEXT));
  const widths: LayoutColumn[] = [
    { width: label, align: 'left' },
    { width: Math.max(8, columns - label), align: 'left' },
  ];
  return layOut(widths, rows, { wrap: true });
}
