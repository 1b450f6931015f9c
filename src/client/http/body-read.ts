import type { ApiReply } from '../../api/index.ts';

type Answer = Extract<ApiReply, { kind: 'answer' }>;
/** Body of an answer, or why it cannot be used; neither if the answer has none. */
export type BodyRead = Pick<Answer, 'body' | 'bodyForm' | 'bodyProblem'>;
