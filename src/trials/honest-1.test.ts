import { sitHonestExam } from './honest.exam.ts';

sitHonestExam([0, 1]);
