/** placeholder door, replaced below */
export * from './schema.ts';
