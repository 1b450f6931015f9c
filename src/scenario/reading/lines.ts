import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const CHUNK_BYTES = 1024 * 1024;

/** Calls `take` with each line of a UTF-8 file, without loading the whole file. @throws the system's error */
export function forEachLine(file: string, take: (line: string) => void): void {
  const handle = openSync(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = '';
    for (let bytes = readSync(handle, chunk); bytes > 0; bytes = readSync(handle, chunk)) {
      const lines = (rest + decoder.write(chunk.subarray(0, bytes))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    }
    if (rest !== '') take(rest);
  } finally {
    closeSync(handle);
  }
}
