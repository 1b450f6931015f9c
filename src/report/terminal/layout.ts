import Table from 'cli-table3';

export interface LayoutColumn {
  /** In characters, what separates it from its left neighbour included. */
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
  /** Long cells go on in further lines; otherwise they end with `…`. */
  readonly wrap?: boolean;
}

/** Rows in columns of fixed widths, without borders; no line is longer than the widths together. Colours take no width. */
export function layOut(
  columns: readonly LayoutColumn[],
  rows: readonly (readonly string[])[],
  options: LayoutOptions = {},
): string[] {
  if (rows.length === 0) return [];
  const table = new Table({
    chars: BORDERLESS,
    // Without a head or a border of its own: the library would colour them.
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

/** Below, lines are wider than the terminal: a name and its counts do not fit any more. */
const NARROWEST = 40;

/** The width to lay out for: the terminal's, or what suits most where there is none. */
export const widthOf = (columns = 80): number => Math.max(NARROWEST, columns);

const LABEL_WIDTH = 14;
/** Below, labels get less, and then text: a terminal this narrow cannot hold both. */
const NARROWEST_TEXT = 18;

/** `label  text`, the text word by word in the width that is left. */
export function labelled(rows: readonly (readonly [label: string, text: string])[], columns: number): string[] {
  const label = Math.max(8, Math.min(LABEL_WIDTH, columns - NARROWEST_TEXT));
  const widths: LayoutColumn[] = [
    { width: label, align: 'left' },
    { width: Math.max(8, columns - label), align: 'left' },
  ];
  return layOut(widths, rows, { wrap: true });
}
