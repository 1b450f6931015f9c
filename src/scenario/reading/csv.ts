/** Fields of one record, and the 1-based line on which it starts. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The records, or why the text is not CSV. */
type CsvResult =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  | { readonly ok: false; readonly line: number; readonly message: string; readonly hint: string };

/**
 * Parses comma-separated values (RFC 4180): quoted fields may contain commas, line breaks and doubled quotes; lines end with LF or
 * CRLF; a byte order mark and empty lines are skipped. Spaces belong to the field. Semicolons and tabs are not separators, because
 * guessing them would split texts that contain them.
 */
export function parseCsv(text: string): CsvResult {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let line = 1;
  let startLine = 1;
  let start = 0;
  let at = 0;
  while (at < source.length) {
    const field = source[at] === '"' ? quotedField(source, at, line) : plainField(source, at, line);
    if (!field.ok) return field;
    fields.push(field.text);
    line += field.lineBreaks;
    at = field.end;
    if (source[at] === ',' && at + 1 < source.length) {
      at += 1;
      continue;
    }
    if (source[at] === ',') fields.push('');
    if (at > start) records.push({ line: startLine, fields });
    at += source.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    startLine = line;
    start = at;
    fields = [];
  }
  return { ok: true, records };
}

type Field =
  | { readonly ok: true; readonly text: string; readonly end: number; readonly lineBreaks: number }
  | Extract<CsvResult, { ok: false }>;

function plainField(source: string, start: number, line: number): Field {
  const delimiter = /[,\r\n]/g;
  delimiter.lastIndex = start;
  const end = delimiter.exec(source)?.index ?? source.length;
  const text = source.slice(start, end);
  if (!text.includes('"')) return { ok: true, text, end, lineBreaks: 0 };
  const hint = 'quote the whole field and double the quotes inside it: "say ""yes"""';
  return { ok: false, line, message: 'a quote inside an unquoted field', hint };
}

function quotedField(source: string, start: number, line: number): Field {
  let closing = source.indexOf('"', start + 1);
  while (closing >= 0 && source[closing + 1] === '"') closing = source.indexOf('"', closing + 2);
  if (closing < 0) return { ok: false, line, message: 'a quoted field is not closed', hint: 'end it with "' };
  const after = source[closing + 1];
  if (after !== undefined && !/[,\r\n]/.test(after)) {
    return {
      ok: false,
      line,
      message: 'text after the closing quote of a field',
      hint: 'double quotes inside a field: ""',
    };
  }
  const text = source.slice(start + 1, closing).replaceAll('""', '"');
  return { ok: true, text, end: closing + 1, lineBreaks: text.split('\n').length - 1 };
}
