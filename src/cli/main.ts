#!/usr/bin/env node
import { runCli } from './index.ts';

// A reader that has seen enough (| head) is no failure, and must not end a run.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await runCli(process.argv.slice(2));
