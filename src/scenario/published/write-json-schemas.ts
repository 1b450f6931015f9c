import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';
import { inputTypes } from './input-types.ts';
import { profileJsonSchema, scenarioJsonSchema } from './json-schema.ts';

/** Content of the committed schema files, by name. */
export function schemaFiles(): Readonly<Record<string, string>> {
  const text = (schema: object) => `${JSON.stringify(schema, null, 2)}\n`;
  return { 'scenario.schema.json': text(scenarioJsonSchema()), 'profile.schema.json': text(profileJsonSchema()) };
}

/** Writes the files into a folder, which is created if necessary. @returns their paths */
export function writeSchemaFiles(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(schemaFiles()).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
}

/** As a program: writes into the given folder, or into `scenarios` of the working directory; and the type beside this file. */
const script = argv[1];
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  for (const path of writeSchemaFiles(argv[2] ?? 'scenarios')) stdout.write(`wrote ${path}\n`);
  writeFileSync(join(import.meta.dirname, 'scenario-input.ts'), inputTypes());
}
