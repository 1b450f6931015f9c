/**
 * For zod's parsing of what a process reads once or a few times. Otherwise zod first writes a function for every object of the schema
 * and has it compiled: three quarters of the time that reading a first profile takes, and even the thousandth is read no faster for it.
 */
export const PARSED_ONCE = { jitless: true } as const;
