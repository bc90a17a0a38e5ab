import type { RecordedSession } from '@/lib/session/recorded-session';
import { parseBounded } from '@/lib/wire/bounded-json';
import { isObject, own } from '@/lib/wire/message';

/** The schema, a value, that a tool's results have to fit, as the newest recorded list has it; undefined if it has none. */
export function outputSchemaOf({ sent }: RecordedSession, tool: string | undefined): unknown {
  if (tool === undefined) return undefined;
  for (const message of sent.toReversed()) {
    if (message.kind !== 'call' || message.method !== 'tools/list' || message.answer?.kind !== 'result') continue;
    const found = toolsIn(message.answer.text).find((each) => own(each, 'name') === tool);
    if (found) return own(found, 'outputSchema');
  }
  return undefined;
}

function toolsIn(text: string) {
  try {
    const result = parseBounded(text);
    const tools = isObject(result) ? own(result, 'tools') : undefined;
    return Array.isArray(tools) ? tools.filter(isObject) : [];
  } catch {
    return [];
  }
}
