import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Path } from '@/lib/protocol/checks';
import { messageRule, quote, type Rule } from '../rule';
import { inputRequestsIn } from './input-requests';

/** 1 for each character of base64. A regular expression takes ten times as long for a picture. */
const IN_BASE64 = new Uint8Array(0x80);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  IN_BASE64[character.charCodeAt(0)] = 1;
/** The text that a recording has in place of a secret, which the server did not send. */
export const PLACEHOLDER = /•••|\[redacted:[a-z-]{1,40}:[0-9a-f]{8}\]/;

/** Rules about the content of results. */
export const CONTENT_RULES: readonly Rule[] = [
  {
    id: 'base64',
    severity: 'error',
    title: 'Invalid base64',
    topic: 'messages',
    advice: 'Encode data and blob as base64 with + and /, padding and no line breaks.',
    checks: () => {
      // Many results may have the same picture.
      let valid = '';
      return {
        kinds: ['response'],
        message: ({ body, request }, _state, report) => {
          if (!request) return;
          for (const { text, path } of encoded(own(body, 'result'))) {
            if (text === valid || isBase64(text)) {
              valid = text;
              continue;
            }
            if (PLACEHOLDER.test(text)) continue;
            const fault = `is not valid base64: ${quote(text.slice(0, 40))}`;
            report({ message: `${String(path.at(-1))} ${fault}.`, path, fault, seqs: [request.seq] });
          }
        },
      };
    },
  },
  messageRule(
    {
      id: 'completion-count',
      kinds: ['response'],
      severity: 'error',
      title: 'More than 100 completions',
      topic: 'completion',
      advice: 'Send at most 100 values and set hasMore.',
    },
    ({ body, request, modern }, _state, report) => {
      const result = own(body, 'result');
      // Since 2026-07-28, the shapes in lib/protocol include this limit.
      if (request?.method !== 'completion/complete' || modern || !isObject(result)) return;
      const completion = own(result, 'completion');
      const values = isObject(completion) ? own(completion, 'values') : undefined;
      if (!Array.isArray(values) || values.length <= 100) return;
      report({
        message: `The result has ${values.length} values.`,
        path: ['result', 'completion', 'values'],
        seqs: [request.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'completion-total',
      kinds: ['response'],
      severity: 'warning',
      title: 'Completion total below the number of values',
      topic: 'completion',
      advice: 'Count all values that exist in total, those that are sent included, or leave it out.',
    },
    ({ body, request }, _state, report) => {
      const result = own(body, 'result');
      if (request?.method !== 'completion/complete' || !isObject(result)) return;
      const completion = own(result, 'completion');
      if (!isObject(completion)) return;
      const [values, total] = [own(completion, 'values'), own(completion, 'total')];
      if (!Array.isArray(values) || typeof total !== 'number' || total >= values.length) return;
      report({
        message: `total is ${quote(total)}, but the result has ${values.length} values.`,
        path: ['result', 'completion', 'total'],
        seqs: [request.seq],
      });
    },
  ),
  messageRule(
    {
      id: 'tool-result-unmatched',
      kinds: ['request', 'response'],
      severity: 'error',
      title: 'tool_result without its tool_use',
      topic: 'sampling',
      advice: 'Send the assistant message with the tool_use before its result, and repeat its id in toolUseId.',
    },
    (seen, _state, report) => {
      const asked =
        seen.kind === 'request' ? [{ method: seen.method, params: seen.params, path: [] }] : inputRequestsIn(seen);
      for (const { method, params, path } of asked) {
        if (method !== SAMPLING) continue;
        for (const { id, at } of unmatchedResults(params)) {
          report({
            message: `No message before has a tool_use with the id ${quote(id)}.`,
            path: [...path, 'params', ...at, 'toolUseId'],
          });
        }
      }
    },
  ),
];

const SAMPLING = 'sampling/createMessage';

/** Yields the tool results of a sampling request whose tool use is not in an earlier message. */
function* unmatchedResults(params: JsonObject): Generator<{ readonly id: string; readonly at: Path }> {
  const messages = own(params, 'messages');
  const used = new Set<unknown>();
  for (const [index, message] of Array.isArray(messages) ? messages.entries() : []) {
    const content = isObject(message) ? own(message, 'content') : undefined;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
    for (const [number, block] of blocks.entries()) {
      if (!isObject(block)) continue;
      const type = own(block, 'type');
      const id = own(block, type === 'tool_use' ? 'id' : 'toolUseId');
      if (type === 'tool_use') used.add(id);
      else if (type === 'tool_result' && typeof id === 'string' && !used.has(id))
        yield { id, at: ['messages', index, 'content', ...(Array.isArray(content) ? [number] : [])] };
    }
  }
}

/** Yields the strings of a result that should be base64. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  for (let at = 0; at < end; at++) if (IN_BASE64[text.charCodeAt(at)] !== 1) return false;
  return true;
}

function* encoded(result: unknown): Generator<{ readonly text: string; readonly path: Path }> {
  if (!isObject(result)) return;
  const blocks = own(result, 'content');
  if (Array.isArray(blocks))
    for (const [index, block] of blocks.entries()) yield* inBlock(block, ['result', 'content', index]);
  const messages = own(result, 'messages');
  if (Array.isArray(messages)) {
    for (const [index, message] of messages.entries()) {
      if (isObject(message)) yield* inBlock(own(message, 'content'), ['result', 'messages', index, 'content']);
    }
  }
  const contents = own(result, 'contents');
  if (Array.isArray(contents))
    for (const [index, item] of contents.entries()) yield* member(item, 'blob', ['result', 'contents', index]);
}

function* inBlock(block: unknown, path: Path): Generator<{ readonly text: string; readonly path: Path }> {
  if (!isObject(block)) return;
  const type = own(block, 'type');
  if (type === 'image' || type === 'audio') yield* member(block, 'data', path);
  if (type === 'resource') yield* member(own(block, 'resource'), 'blob', [...path, 'resource']);
}

function* member(value: unknown, key: string, path: Path): Generator<{ readonly text: string; readonly path: Path }> {
  const text = isObject(value) ? own(value, key) : undefined;
  if (typeof text === 'string') yield { text, path: [...path, key] };
}
