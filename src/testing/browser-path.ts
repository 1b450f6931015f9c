import { existsSync } from 'node:fs';

/** Possible paths of a Chromium. The variable `CHROMIUM` names another. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium on this machine; undefined if there is none. */
export const browserPath: string | undefined = places.find((place) => place !== undefined && existsSync(place));
