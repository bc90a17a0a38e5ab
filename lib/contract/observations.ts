import { parseJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';

/** The data of one result of a tool: its structured content, or the JSON of its only text. */
export interface Observation {
  readonly from: 'structuredContent' | 'text';
  readonly value: unknown;
  /** The value as the server wrote it. */
  readonly text: string;
}

/** Why a result has no data: it is an error, a task or a question instead, or it has no JSON. */
export type NotObserved = 'error' | 'unfinished' | 'no JSON';

/** Reads the data of a `tools/call` result, given as JSON. Never throws. */
export function observe(result: string): Observation | NotObserved {
  const source = JsonSource.parse(result);
  if (source?.member('isError')?.value === true) return 'error';
  const structured = source?.member('structuredContent');
  const isUnfinished = source?.member('resultType')?.value === 'input_required' || source?.member('task') !== undefined;
  if (isUnfinished && !structured) return 'unfinished';
  if (structured) return { from: 'structuredContent', value: parseJson(structured.text), text: structured.text };
  const content = source?.member('content');
  const only = content?.kind === 'array' && content.children(2).count === 1 ? content.item(0) : undefined;
  const text = only?.member('type')?.value === 'text' ? only.member('text')?.value : undefined;
  // A text such as `42` or `true` is JSON by chance.
  if (typeof text !== 'string' || !/^\s*[{[]/.test(text) || !JsonSource.parse(text)) return 'no JSON';
  return { from: 'text', value: parseJson(text), text };
}
