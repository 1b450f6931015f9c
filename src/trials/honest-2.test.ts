import { sitHonestExam } from './honest.exam.ts';

sitHonestExam([2, 3]);
