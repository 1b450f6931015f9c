import { scenarioJsonSchema } from './json-schema.ts';

/*
 * Makes the type of a scenario as written from its schema. The type that zod infers has none of the texts of `describe`: of a
 * TypeScript scenario an editor would show neither units nor ranges nor defaults.
 */

/** What this file reads of a JSON Schema. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** @returns the text of `scenario-input.ts` */
export function inputTypes(): string {
  const schema = scenarioJsonSchema() as Schema;
  const writer = new TypeWriter(schema.$defs ?? {});
  const input = writer.members(schema);
  const named = [...writer.declared].map(([name, type]) => `type ${name} = ${type};\n\n`).join('');
  return indented(`// Made from the schema by \`npm run schemas\`.

${named}/** A scenario as written in a file or passed to \`scenario()\`. */
export interface ScenarioInput ${input}
`);
}

class TypeWriter {
  readonly declared = new Map<string, string>();
  /** Names of the definitions that are written once, by reference. */
  private readonly names = new Map<string, string>();

  private readonly definitions: Readonly<Record<string, Schema>>;

  constructor(definitions: Readonly<Record<string, Schema>>) {
    this.definitions = definitions;
  }

  /** @param key the member that has the type: names what is declared */
  private type(schema: Schema, key: string): string {
    if (schema.$ref !== undefined) return this.referred(schema.$ref, key);
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum) return schema.enum.map(literal).join(' | ');
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return [...new Set(choices.map((choice) => this.type(choice, key)))].join(' | ');
    if (schema.type === 'array') return `readonly (${this.type(schema.items ?? {}, key)})[]`;
    if (schema.type === 'object') return schema.properties ? this.members(schema) : this.record(schema, key);
    return [schema.type ?? 'unknown'].flat().join(' | ').replace('integer', 'number');
  }

  private referred(reference: string, key: string): string {
    const known = this.names.get(reference);
    if (known !== undefined) return known;
    const schema = this.resolved(reference);
    if (!hasMembers(schema)) return this.type(schema, schema.title ?? key);
    const name = this.free(pascalCase(kindOf(schema) ?? key));
    this.names.set(reference, name);
    // Taken before its members are written, which may refer to it.
    this.declared.set(name, '');
    this.declared.set(name, this.type(schema, key));
    return name;
  }

  members(schema: Schema): string {
    const lines = Object.entries(schema.properties ?? {}).map(([key, member]) => {
      const type = this.type(member, key);
      return `${this.comment(member)}${key}${schema.required?.includes(key) ? `: ${type}` : `?: ${type} | undefined`};\n`;
    });
    return `{\n${lines.join('')}}`;
  }

  private record({ additionalProperties, propertyNames }: Schema, key: string): string {
    const values = typeof additionalProperties === 'object' ? this.type(additionalProperties, key) : 'unknown';
    const names = this.type(propertyNames ?? {}, key);
    // Not Record: a member of that name is declared above.
    return names.startsWith("'") ? `{ [Name in ${names}]?: ${values} }` : `{ [name: string]: ${values} }`;
  }

  private comment(member: Schema): string {
    const chain = this.chain(member);
    const ofChoices = (chain.at(-1)?.anyOf ?? []).flatMap((choice) => this.chain(choice).filter(isTitled));
    const texts = [...new Set([...chain, ...ofChoices].flatMap(({ description }) => description ?? []))];
    const { default: standard } = chain.find((schema) => schema.default !== undefined) ?? {};
    if (standard !== undefined && !isEmpty(standard)) texts.push(`Default: ${JSON.stringify(standard)}.`);
    texts.push(...chain.flatMap(range));
    return texts.length === 0 ? '' : `/** ${texts.join('\n * ').replaceAll('*/', '*\\/')} */\n`;
  }

  /** A schema and what it refers to. */
  private chain(schema: Schema): readonly Schema[] {
    const chain = [schema];
    for (let { $ref } = schema; $ref !== undefined; { $ref } = this.resolved($ref)) chain.push(this.resolved($ref));
    // What has a title tells all of its unit: PositiveDuration is a Duration, but none that may be 0.
    const titled = chain.findIndex(isTitled);
    return titled < 0 ? chain : chain.slice(0, titled + 1);
  }

  private resolved(reference: string): Schema {
    const schema = this.definitions[reference.replace('#/$defs/', '')];
    if (schema === undefined) throw new Error(`the schema has no ${reference}`);
    return schema;
  }

  private free(name: string): string {
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}${number}`;
      if (!this.declared.has(candidate)) return candidate;
    }
  }
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
const hasMembers = (schema: Schema): boolean => (schema.properties ?? schema.anyOf ?? schema.oneOf) !== undefined;
const isTitled = ({ title }: Schema): boolean => title !== undefined;
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string[] {
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`,
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? [] : [`Range: ${bounds.join(', ')}.`];
}

/** The member that tells the kinds of a union apart. */
const kindOf = ({ properties = {} }: Schema): string | undefined =>
  Object.values(properties).flatMap((member) => (typeof member.const === 'string' ? member.const : []))[0];

const pascalCase = (words: string): string =>
  words.replaceAll(/(?:^|[ -])([a-z])/gi, (_, letter: string) => letter.toUpperCase());

function indented(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1;
    const shifted = `${'  '.repeat(depth)}${line}`;
    if (line.endsWith('{')) depth += 1;
    return shifted.trimEnd();
  });
  return lines.join('\n');
}
