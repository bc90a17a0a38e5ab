import { readHeaderParams } from '@/lib/transports/param-headers';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import type { Entry, PromptEntry, ResourceEntry, TemplateEntry, ToolEntry } from './state';

/** How one kind of list is asked for and what its items must have. */
export interface ListingKind<T extends Entry> {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** The server capability that announces it. */
  readonly capability: string;
  /** The member that names an item in this list. */
  readonly identity: string;
  /** Makes an entry; `entry.key` is the identity and not yet unique. */
  readonly entry: (raw: JsonObject, seq: number, place: number) => T;
}

const text = (raw: JsonObject, key: string): string => {
  const value = own(raw, key);
  return typeof value === 'string' ? value : '';
};

function missing(raw: JsonObject, key: string): string | undefined {
  const value = own(raw, key);
  if (typeof value === 'string' && value !== '') return undefined;
  if (value === undefined) return `It has no ${key}.`;
  return value === '' ? `Its ${key} is empty.` : `Its ${key} is not a string.`;
}

const named = (raw: JsonObject, seq: number, place: number, identity: string, problem?: string) => ({
  key: text(raw, identity),
  name: text(raw, 'name'),
  raw,
  seq,
  place,
  problem: missing(raw, identity) ?? problem,
});

export const TOOLS: ListingKind<ToolEntry> = {
  method: 'tools/list',
  member: 'tools',
  capability: 'tools',
  identity: 'name',
  entry: (raw, seq, place) => named(raw, seq, place, 'name', schemaProblem(own(raw, 'inputSchema'))),
};

function schemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'Its inputSchema is not an object.';
  const type = own(schema, 'type');
  if (type === undefined) return 'Its inputSchema has no type, where clients ask for "object".';
  if (type !== 'object') return 'The type of its inputSchema is not "object".';
  if (Object.hasOwn(schema, 'properties') && !isObject(schema.properties)) {
    return 'The properties of its inputSchema are not an object.';
  }
  const { problem } = readHeaderParams(schema);
  return problem === undefined ? undefined : `Clients over HTTP must leave it out: ${problem}`;
}

export const PROMPTS: ListingKind<PromptEntry> = {
  method: 'prompts/list',
  member: 'prompts',
  capability: 'prompts',
  identity: 'name',
  entry: (raw, seq, place) => {
    const args = own(raw, 'arguments');
    return named(
      raw,
      seq,
      place,
      'name',
      args === undefined || Array.isArray(args) ? undefined : 'Its arguments are no array.',
    );
  },
};

export const RESOURCES: ListingKind<ResourceEntry> = {
  method: 'resources/list',
  member: 'resources',
  capability: 'resources',
  identity: 'uri',
  entry: (raw, seq, place) => ({ ...named(raw, seq, place, 'uri'), uri: text(raw, 'uri') }),
};

export const TEMPLATES: ListingKind<TemplateEntry> = {
  method: 'resources/templates/list',
  member: 'resourceTemplates',
  capability: 'resources',
  identity: 'uriTemplate',
  entry: (raw, seq, place) => ({ ...named(raw, seq, place, 'uriTemplate'), uriTemplate: text(raw, 'uriTemplate') }),
};
