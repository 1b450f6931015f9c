import { z } from 'zod';
import type { RoundOf } from '../../history/index.ts';
import { count, memberOf } from './parts.ts';

export const RoundSchema = memberOf<RoundOf>(
  'Which of several rounds the run is; their gates are judged together, in rounds.json. Absent for a single run',
  {
    number: count('From 1'),
    of: count('How many rounds were planned'),
    side: z.enum(['base', 'candidate']).describe('base or candidate; base if there is no comparison'),
  },
);
