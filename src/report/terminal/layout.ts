import Table from 'cli-table3';
import pc from 'picocolors';

/** Functions that colour text for a terminal, or return it unchanged. */
export type Colors = ReturnType<typeof pc.createColors>;

/** How a caller wants text for a terminal. */
export interface LookOptions {
  /** Width in characters; default 80, at least 40 is assumed. */
  readonly columns?: number;
  /** Whether to colour; the caller checks NO_COLOR and the terminal. Default false. */
  readonly color?: boolean;
}

/** The width and the colours of a text for a terminal. */
export interface Look {
  readonly columns: number;
  readonly colors: Colors;
}

/** Minimum width; on a narrower terminal lines are too long, because a name and its counts would not fit. */
const NARROWEST = 40;

export const lookOf = ({ columns = 80, color = false }: LookOptions): Look => ({
  columns: Math.max(NARROWEST, columns),
  colors: pc.createColors(color),
});

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

type Rows = readonly (readonly string[])[];

/**
 * Formats rows in columns of fixed widths without borders. No line exceeds the total width; colours take no width. Long cells are
 * cut and end with `…`.
 */
export const layOut = (columns: readonly LayoutColumn[], rows: Rows): string[] => linesOf(columns, rows, false);

function linesOf(columns: readonly LayoutColumn[], rows: Rows, wordWrap: boolean): string[] {
  if (rows.length === 0) return [];
  const table = new Table({
    chars: BORDERLESS,
    // Disables the colours of the library for head and borders.
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: columns.map((column) => column.width),
    colAligns: columns.map((column) => column.align),
    wordWrap,
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Texts that are wrapped, each from a new line on. */
export const wrapped = (texts: readonly string[], columns: number): string[] =>
  linesOf(
    [{ width: columns, align: 'left' }],
    texts.map((text) => [text]),
    true,
  );

/** Lines of a short first cell and a text, which is wrapped in the remaining width. @param first width of the first cell */
export function besideWrapped(rows: readonly (readonly [string, string])[], first: number, columns: number): string[] {
  const widths: LayoutColumn[] = [
    { width: first, align: 'left' },
    // Never without room, however narrow the terminal is.
    { width: Math.max(8, columns - first), align: 'left' },
  ];
  return linesOf(widths, rows, true);
}

const LABEL_WIDTH = 14;
/** Minimum width of the text; on narrower terminals labels are narrowed first. */
const NARROWEST_TEXT = 18;

/** Lines of the form `label  text`; the text is wrapped in the remaining width. */
export const labelled = (rows: readonly (readonly [label: string, text: string])[], columns: number): string[] =>
  besideWrapped(rows, Math.max(8, Math.min(LABEL_WIDTH, columns - NARROWEST_TEXT)), columns);
