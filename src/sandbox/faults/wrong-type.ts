import type { Fault } from './fault.ts';
import { bodyTravels } from './strikes.ts';
import { optional } from './words.ts';

/** RFC 9110 section 8.3.1, without parameters. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}$/;

export const wrongType: Fault = {
  says: 'The request is processed; the true body is sent with this content type (text/html).',
  parameters: '[:TYPE/SUBTYPE]',
  target: 'body',
  read(words) {
    const type = optional(
      words,
      'text/html',
      (word) => (MEDIA_TYPE.test(word) ? word : undefined),
      'a content type such as text/html',
    );
    return 'problem' in type ? type : bodyTravels({ contentType: type.value });
  },
};
