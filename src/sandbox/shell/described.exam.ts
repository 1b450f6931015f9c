import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OperationId } from '../../api/index.ts';
import { openApiDocument } from '../openapi/index.ts';

interface Media {
  readonly schema: { readonly $ref: string };
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly $ref: string }>;
}
export interface Described {
  readonly operationId: OperationId;
  readonly security: readonly object[];
  readonly parameters?: readonly { name: string; in: string; schema: object; example: unknown }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Media> };
  readonly responses: Record<string, { headers: Record<string, object>; content: Record<string, Media> }>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: {
    readonly examples: Record<string, { value: unknown }>;
    readonly schemas: Record<string, object>;
  };
}

export const document = openApiDocument() as unknown as Document;
export const described = new Map(
  Object.values(document.paths).flatMap((item) => Object.values(item).map((each) => [each.operationId, each] as const)),
);

/** Closes the described objects: the document allows members of later versions, but everything this service sends must be described. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const { properties, additionalProperties } = value as { properties?: object; additionalProperties?: unknown };
  const isOpen = typeof additionalProperties === 'object' && Object.keys(properties ?? {}).length > 0;
  const entries = Object.entries(value).map(([key, part]) => [key, closed(part)]);
  return { ...Object.fromEntries(entries), ...(isOpen && { additionalProperties: false }) };
}

const ajv = new Ajv2020({ allErrors: true, strict: true });
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
ajv.addVocabulary(['components']);
ajv.addSchema({ $id: 'contract.json', components: { schemas: closed(document.components.schemas) } });

/** What is wrong with a value, by a schema of the document; empty if nothing is. */
export function problemsOf({ $ref }: { readonly $ref: string }, value: unknown): string {
  const validate = ajv.getSchema(`contract.json${$ref}`) as ValidateFunction | undefined;
  if (!validate) return `there is no ${$ref}`;
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}
