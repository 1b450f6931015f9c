import { z } from 'zod';

/**
 * Objects that leave out a time whose default depends on others, with a function that says what it then is. The default of a longer
 * time is not the longer default: who polls every ten seconds follows a turn for a minute, too.
 */
export const implied = z.registry<{ readonly of: (given: never) => object }>();
