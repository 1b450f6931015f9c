import { sitHonestExam } from './honest.exam.ts';

// .ci/run judges twenty times as many: npm run trials.
sitHonestExam([0]);
