#!/usr/bin/env node
import { isOutOfFiles, OUT_OF_FILES } from './failures/out-of-files.ts';

try {
  const { start } = await import('./start.ts');
  await start();
} catch (error) {
  // Loading the tool opens some forty files. If the limit is below that, its error handling and `ExitCode.targetUnusable` (12) cannot be
  // loaded either.
  if (!isOutOfFiles(error)) throw error;
  process.stderr.write(OUT_OF_FILES);
  process.exit(12);
}
