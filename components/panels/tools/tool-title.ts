import { isObject, type JsonObject, own } from '@/lib/json/value';

/** Returns a tool's title, or its annotations' title (before 2025-06-18); undefined if it has none. */
export function toolTitle(tool: JsonObject): string | undefined {
  const annotations = own(tool, 'annotations');
  const title = own(tool, 'title') ?? (isObject(annotations) ? own(annotations, 'title') : undefined);
  return typeof title === 'string' && title !== '' ? title : undefined;
}
