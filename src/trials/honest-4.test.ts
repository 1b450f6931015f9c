import { sitHonestExam } from './honest.exam.ts';

sitHonestExam([6, 7]);
