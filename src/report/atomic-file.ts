import { once } from 'node:events';
import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

/**
 * Atomic replacement of a file: text is written to a temporary file next to it (`name.PID.partial`), which is renamed when it is
 * complete and synced to disk. At most one write is buffered, because the writer waits for the disk.
 *
 * | state | write | complete | commit | abandon |
 * |---|---|---|---|---|
 * | open | open | complete: everything is on disk | – | removed |
 * | complete | – | complete | committed: the file is replaced | removed |
 * | committed | – | – | – | committed: the new file stays |
 */
export class AtomicFile {
  readonly #file: string;
  readonly #partial: string;
  readonly #stream: WriteStream;
  readonly #done: Promise<void>;

  /** Opens the temporary file; if that fails, `write` or `complete` throws. */
  constructor(file: string) {
    this.#file = file;
    this.#partial = `${file}.${process.pid}.partial`;
    removeIfFile(this.#partial);
    // Exclusively: in a folder from elsewhere there may be a link of this name, through which another file would be overwritten.
    this.#stream = createWriteStream(this.#partial, { flags: 'wx', flush: true });
    this.#done = finished(this.#stream);
    // Avoids an unhandled rejection; write and complete report the error.
    this.#done.catch(() => undefined);
  }

  /** Resolves when more can be written. @throws the disk's error */
  async write(text: string): Promise<void> {
    if (this.#stream.errored) throw this.#stream.errored;
    if (text !== '' && !this.#stream.write(text)) await Promise.race([once(this.#stream, 'drain'), this.#done]);
  }

  /** Resolves when everything is on disk. @throws the disk's error */
  async complete(): Promise<void> {
    this.#stream.end();
    await this.#done;
  }

  /** Replaces the file; to be called after `complete`. @throws the disk's error; the file is then unchanged */
  async commit(): Promise<void> {
    await rename(this.#partial, this.#file);
  }

  /** Discards the temporary file, unless it was committed. Never throws. */
  async abandon(): Promise<void> {
    this.#stream.destroy();
    await this.#done.catch(() => undefined);
    await rm(this.#partial, { force: true }).catch(() => undefined);
  }
}

/** In a container every process may have the same number, so that this may be left over from an earlier one. */
function removeIfFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Opening it then fails, and says why.
  }
}

/** Removes temporary files of processes that no longer exist. Never throws. */
export async function removeLeftOver(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => isOfEndedProcess(/\.(\d+)\.partial$/.exec(name)?.[1]));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)));
}

function isOfEndedProcess(pid: string | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Writes a file atomically. @throws the disk's error; the file is then unchanged */
export async function writeFileAtomically(file: string, pieces: Iterable<string>): Promise<void> {
  const target = new AtomicFile(file);
  try {
    for (const piece of pieces) await target.write(piece);
    await target.complete();
    await target.commit();
  } catch (error) {
    await target.abandon();
    throw error;
  }
}
