/**
 * Parses CSV by RFC 4180, independently of the writer.
 * @returns rows of fields, the header line first
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const row: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (quoted && c === '"' && text[i + 1] === '"') {
      field += '"';
      i++;
    } else if (c === '"') quoted = !quoted;
    else if (!quoted && (c === ',' || c === '\n')) {
      row.push(field);
      field = '';
      if (c === '\n') rows.push(row.splice(0));
    } else field += c;
  }
  if (quoted || field !== '' || row.length > 0) throw new Error('the file ends within a row');
  return rows;
}

/** Rows as objects by column name. */
export function csvRecords(text: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}
