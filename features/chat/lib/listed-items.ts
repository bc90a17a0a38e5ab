// Items of a server's lists → the members that a chat uses. Entries that have no name are left out.
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ChatServer, ModelTool } from './model';

/** Returns tools as the loop needs them. A tool without a valid schema takes any arguments. */
export function listedTools(entries: readonly JsonObject[]): readonly ModelTool[] {
  return entries.flatMap((entry) => {
    const [name, description, schema, annotations] = ['name', 'description', 'inputSchema', 'annotations'].map((key) =>
      own(entry, key),
    );
    if (typeof name !== 'string') return [];
    return {
      name,
      ...(typeof description === 'string' && { description }),
      inputSchema: isObject(schema) ? schema : { type: 'object' },
      ...(isObject(annotations) && { annotations: { readOnlyHint: own(annotations, 'readOnlyHint') } }),
    };
  });
}

export function listedPrompts(entries: readonly JsonObject[]): Awaited<ReturnType<ChatServer['prompts']>> {
  return entries.flatMap((entry) => {
    const [name, description, args] = ['name', 'description', 'arguments'].map((key) => own(entry, key));
    if (typeof name !== 'string') return [];
    return {
      name,
      ...(typeof description === 'string' && { description }),
      ...(Array.isArray(args) && { arguments: args.filter(isObject) }),
    };
  });
}

export function listedResources(entries: readonly JsonObject[]): Awaited<ReturnType<ChatServer['resources']>> {
  return entries.flatMap((entry) => {
    const [uri, name, mimeType] = ['uri', 'name', 'mimeType'].map((key) => own(entry, key));
    if (typeof uri !== 'string') return [];
    return {
      uri,
      name: typeof name === 'string' ? name : uri,
      ...(typeof mimeType === 'string' && { mimeType }),
    };
  });
}
