import { type Micros, microsFromSeconds } from '../../base/index.ts';
import type { Fault } from './fault.ts';
import { bodyTravels } from './strikes.ts';
import { duration } from './words.ts';

const USUALLY: Micros = microsFromSeconds(5);

export const slowDrip: Fault = {
  says: 'The request is processed; the head is sent at once, the body in small pieces over this long (5s).',
  parameters: '[:DURATION]',
  target: 'body',
  read(words) {
    const lasting = duration(words, USUALLY);
    if ('problem' in lasting) return lasting;
    return bodyTravels({ manner: { kind: 'drip', lastingUs: lasting.value } });
  },
};
