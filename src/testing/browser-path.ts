import { existsSync } from 'node:fs';

/** Where a Chromium may be; `CHROMIUM` names another. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A Chromium on this machine; `undefined` where there is none. */
export const browserPath: string | undefined = places.find((place) => place !== undefined && existsSync(place));
