import { lastMembers } from '@/lib/json/canonical';
import { withoutBom } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import { type Message, messagesOf } from '@/lib/store/classify';
import { cutText, cutValue } from '@/lib/wire/cut-message';
import type { CutMessage } from '@/lib/wire/frame';

/** One JSON-RPC message, with the exact texts of its members. */
export interface ParsedMessage {
  readonly message: Message;
  readonly batch: boolean;
  /** JSON text; undefined if the id is missing or of an invalid type. */
  readonly id: string | undefined;
  readonly params: JsonSource | undefined;
  /** Text of the `result` or `error` member of an answer. */
  readonly answer: string | undefined;
}

/** Parses the messages of a protocol frame, in order; none in junk. Never throws. */
export function parseMessages(text: string): readonly ParsedMessage[] {
  const source = JsonSource.parse(withoutBom(text));
  return source === undefined ? [] : messagesIn(source);
}

/** Parses the messages of a frame whose long strings are cut out. They are not parsed for each frame that has them. */
export function parseCut(cut: CutMessage): readonly ParsedMessage[] {
  const [text, value] = [cutText(cut), cutValue(cut)];
  return value === undefined ? parseMessages(text) : messagesIn(JsonSource.parsed(text, value));
}

function messagesIn(source: JsonSource): readonly ParsedMessage[] {
  const batch = source.kind === 'array';
  const parts = batch ? source.children(Number.POSITIVE_INFINITY).children.map((child) => child.source) : [source];
  return parts.flatMap((part) => {
    const [message] = Array.isArray(part.value) ? [] : messagesOf(part.value);
    return message === undefined ? [] : [read(message, part, batch)];
  });
}

function read(message: Message, source: JsonSource, batch: boolean): ParsedMessage {
  const members = lastMembers(source);
  return {
    message,
    batch,
    id: message.id === undefined || message.id === null ? undefined : members.get('id')?.text,
    params: members.get('params'),
    answer: members.get(message.kind === 'error' ? 'error' : 'result')?.text,
  };
}
