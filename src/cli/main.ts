#!/usr/bin/env node
import { isOutOfFiles, OUT_OF_FILES } from './out-of-files.ts';

try {
  const { start } = await import('./start.ts');
  await start();
} catch (error) {
  // Loading the tool opens some forty files: where no more than that may be open, nothing of it is there yet to say so, nor
  // `ExitCode.targetUnusable`.
  if (!isOutOfFiles(error)) throw error;
  process.stderr.write(OUT_OF_FILES);
  process.exit(12);
}
