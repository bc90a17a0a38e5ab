import { LIMITS } from '@/lib/wire/limits';
import type { MonacoModule } from './monaco';

const schemas = new Map<string, unknown>();
let counter = 0;

/** A model address that no other editor has: schemas are matched to editors by it. */
export function newModelUri(): string {
  counter += 1;
  return `inmemory://editor/${counter}.json`;
}

/** Keywords outside JSON Schema by which a schema could have Markdown or snippets of its own drawn. */
const DROPPED = new Set([
  'markdownDescription',
  'markdownEnumDescriptions',
  'markdownDeprecationMessage',
  'defaultSnippets',
]);

/** Has the editor check the model at `uri` against a schema, or none. References are never fetched. */
export function setModelSchema(monaco: MonacoModule, uri: string, schema: unknown): void {
  const usable = plainSchema(schema);
  if (usable !== undefined) schemas.set(uri, usable);
  else if (!schemas.delete(uri) && configured) return;
  configured = true;
  // Each call restarts the JSON worker.
  monaco.jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: false,
    enableSchemaRequest: false,
    schemaValidation: 'warning',
    schemas: [...schemas].map(([uri, schema]) => ({ uri: `${uri}.schema`, fileMatch: [uri], schema })),
  });
}

let configured = false;

/** A copy of what can be handed to the worker; undefined for a schema that is too deep, too long, or none. */
function plainSchema(schema: unknown): unknown {
  if (schema === undefined) return undefined;
  try {
    const text = JSON.stringify(schema, (key, value) => (DROPPED.has(key) ? undefined : value));
    return text.length <= LIMITS.editorSchemaChars ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
