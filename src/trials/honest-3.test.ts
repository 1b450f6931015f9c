import { sitHonestExam } from './honest.exam.ts';

sitHonestExam([4, 5]);
