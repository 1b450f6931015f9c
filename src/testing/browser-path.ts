import { existsSync } from 'node:fs';

/**
 * Possible paths of a Chromium. The variable `CHROMIUM` names another. The shell without windows comes first: it draws the same pages,
 * and the tests of the report took less than half of the CPU with it.
 */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium on this machine; undefined if there is none. */
export const browserPath: string | undefined = places.find((place) => place !== undefined && existsSync(place));
