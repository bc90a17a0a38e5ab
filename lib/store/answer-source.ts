import type { JsonSource } from '@/lib/wire/json-source';
import { idKey, isObject, own, type RequestId } from '@/lib/wire/message';
import { PROMPTS, RESOURCES, TEMPLATES, TOOLS } from './listing-kinds';
import type { Log } from './log';
import type { Entry } from './state';

/** The message in frame `seq`; out of a batch the one with this id, or else the first; undefined if there is none. */
export function messageSource(log: Log, seq: number, id?: RequestId | null): JsonSource | undefined {
  const frame = log.json(seq - 1);
  if (frame?.kind !== 'array') return frame?.kind === 'object' ? frame : undefined;
  const items = frame.value as readonly unknown[];
  const found = items.findIndex((item) => isObject(item) && idKey(own(item, 'id')) === idKey(id));
  return frame.item(found >= 0 ? found : items.findIndex(isObject));
}

/** The members that lists come in, by the kind of list. */
const MEMBERS = {
  tools: TOOLS.member,
  resources: RESOURCES.member,
  templates: TEMPLATES.member,
  prompts: PROMPTS.member,
} as const;

/** A listed item as the server wrote it, digits and all; undefined if it isn't found where it was listed. */
export function entrySource(log: Log, list: keyof typeof MEMBERS, entry: Entry): JsonSource | undefined {
  const result = messageSource(log, entry.seq, log.row(entry.seq - 1).id)?.member('result');
  return result?.member(MEMBERS[list])?.item(entry.place);
}
