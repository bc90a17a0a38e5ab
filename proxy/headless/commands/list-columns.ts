import { isObject, type JsonObject, own } from '@/lib/wire/message';

/** A column of a listing: its heading, and what it shows of an entry. */
type Column = readonly [heading: string, cell: (entry: JsonObject) => string];

const text =
  (key: string) =>
  (entry: JsonObject): string => {
    const value = own(entry, key);
    return typeof value === 'string' ? value : '';
  };

const NAME: Column = ['NAME', text('name')];
const TYPE: Column = ['TYPE', text('mimeType')];
const ABOUT: Column = ['DESCRIPTION', (entry) => text('description')(entry) || text('title')(entry)];

/** What a person can list, by the word for it. */
export const KINDS = {
  tools: { method: 'tools/list', columns: [NAME, ['ARGUMENTS', toolArguments], ABOUT] },
  resources: { method: 'resources/list', columns: [['URI', text('uri')], NAME, TYPE, ABOUT] },
  templates: { method: 'resources/templates/list', columns: [['TEMPLATE', text('uriTemplate')], NAME, TYPE, ABOUT] },
  prompts: { method: 'prompts/list', columns: [NAME, ['ARGUMENTS', promptArguments], ABOUT] },
} as const satisfies Record<string, { method: string; columns: readonly Column[] }>;

export type Kind = keyof typeof KINDS;

/** `text, count?`: the optional ones have a question mark. */
function toolArguments(tool: JsonObject): string {
  const schema = own(tool, 'inputSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const required = isObject(schema) ? own(schema, 'required') : undefined;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => (Array.isArray(required) && required.includes(name) ? name : `${name}?`)).join(', ');
}

function promptArguments(prompt: JsonObject): string {
  const given = own(prompt, 'arguments');
  const named = Array.isArray(given) ? given.filter(isObject) : [];
  return named
    .map((argument) => `${text('name')(argument)}${own(argument, 'required') === true ? '' : '?'}`)
    .join(', ');
}
