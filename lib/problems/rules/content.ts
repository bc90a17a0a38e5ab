import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import type { SeenMessage } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';
import { blocksOf, samplingIn } from './sampling';

/** 1 for each character of base64. A regular expression takes ten times as long for a picture. */
const IN_BASE64 = new Uint8Array(0x80);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  IN_BASE64[character.charCodeAt(0)] = 1;
/** The text that a recording has in place of a secret, which the server did not send. */
export const PLACEHOLDER = /•••|\[redacted:[a-z-]{1,40}:[0-9a-f]{8}\]/;

/** A text that should be base64, and its place. */
interface Encoded {
  readonly text: string;
  readonly path: FaultPath;
}

/** Rules about the content of results. */
export const CONTENT_RULES: readonly ProtocolRule[] = [
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
        kinds: ['request', 'response'],
        message: (seen, _state, report) => {
          const { request, kind } = seen;
          if (!request && kind === 'response') return;
          for (const { text, path } of encoded(seen)) {
            if (text === valid || isBase64(text)) {
              valid = text;
              continue;
            }
            if (PLACEHOLDER.test(text)) continue;
            const fault = `is not valid base64: ${quote(text.slice(0, 40))}`;
            report({
              message: `${String(path.at(-1))} ${fault}.`,
              path,
              fault,
              ...(request && { seqs: [request.seq] }),
            });
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
        message: `The result has ${valueCount(values)}.`,
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
      title: 'Completion total that contradicts the values',
      topic: 'completion',
      advice: 'Count all values that exist in total, those that are sent included. Set hasMore if there are others.',
    },
    ({ body, request }, _state, report) => {
      const result = own(body, 'result');
      if (request?.method !== 'completion/complete' || !isObject(result)) return;
      const completion = own(result, 'completion');
      if (!isObject(completion)) return;
      const [values, total] = [own(completion, 'values'), own(completion, 'total')];
      if (!Array.isArray(values) || typeof total !== 'number') return;
      if (total < values.length) {
        report({
          message: `total is ${quote(total)}, but the result has ${valueCount(values)}.`,
          path: ['result', 'completion', 'total'],
          seqs: [request.seq],
        });
      } else if (own(completion, 'hasMore') === (total === values.length)) {
        report({
          message: `hasMore is ${total === values.length}, but total is ${total} and the result has ${valueCount(values)}.`,
          path: ['result', 'completion', 'hasMore'],
          seqs: [request.seq],
        });
      }
    },
  ),
  messageRule(
    {
      id: 'embedded-type-missing',
      kinds: ['response'],
      severity: 'warning',
      title: 'Embedded resource of a prompt without a MIME type',
      topic: 'prompts',
      advice: 'Add the mimeType of the resource.',
    },
    ({ body, request }, _state, report) => {
      const result = own(body, 'result');
      const messages = request?.method === 'prompts/get' && isObject(result) ? own(result, 'messages') : undefined;
      for (const [index, message] of Array.isArray(messages) ? messages.entries() : []) {
        const content = isObject(message) ? own(message, 'content') : undefined;
        const resource =
          isObject(content) && own(content, 'type') === 'resource' ? own(content, 'resource') : undefined;
        if (!isObject(resource) || own(resource, 'mimeType') !== undefined) continue;
        report({
          message: `The resource ${quote(own(resource, 'uri'))} has no mimeType.`,
          path: ['result', 'messages', index, 'content', 'resource'],
          seqs: [request!.seq],
        });
      }
    },
  ),
  messageRule(
    {
      id: 'contents-empty',
      kinds: ['response'],
      severity: 'info',
      title: 'Resource without contents',
      topic: 'resources',
      advice: 'If the resource does not exist, answer with error −32602. An empty list may mean either.',
    },
    ({ body, request, modern }, _state, report) => {
      const result = own(body, 'result');
      if (!modern || request?.method !== 'resources/read' || !isObject(result)) return;
      const contents = own(result, 'contents');
      if (!Array.isArray(contents) || contents.length > 0) return;
      report({ message: 'contents is empty.', path: ['result', 'contents'], seqs: [request.seq] });
    },
  ),
];

function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  for (let at = 0; at < end; at++) if (IN_BASE64[text.charCodeAt(at)] !== 1) return false;
  return true;
}

function valueCount({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? 'value' : 'values'}`;
}

/** Yields the strings of a message that should be base64. */
function* encoded(seen: SeenMessage): Generator<Encoded> {
  yield* inResult(own(seen.body, 'result'));
  for (const { params, path } of samplingIn(seen)) yield* inMessages(params, [...path, 'params']);
}

function* inResult(result: unknown): Generator<Encoded> {
  if (!isObject(result)) return;
  const blocks = own(result, 'content');
  if (Array.isArray(blocks))
    for (const [index, block] of blocks.entries()) yield* inBlock(block, ['result', 'content', index]);
  yield* inMessages(result, ['result']);
  const contents = own(result, 'contents');
  if (Array.isArray(contents))
    for (const [index, item] of contents.entries()) yield* member(item, 'blob', ['result', 'contents', index]);
}

function* inMessages(holder: JsonObject, path: FaultPath): Generator<Encoded> {
  const messages = own(holder, 'messages');
  for (const [index, message] of Array.isArray(messages) ? messages.entries() : []) {
    for (const { block, at } of blocksOf(message)) yield* inBlock(block, [...path, 'messages', index, ...at]);
  }
}

function* inBlock(block: unknown, path: FaultPath): Generator<Encoded> {
  if (!isObject(block)) return;
  const type = own(block, 'type');
  if (type === 'image' || type === 'audio') yield* member(block, 'data', path);
  if (type === 'resource') yield* member(own(block, 'resource'), 'blob', [...path, 'resource']);
}

function* member(value: unknown, key: string, path: FaultPath): Generator<Encoded> {
  const text = isObject(value) ? own(value, key) : undefined;
  if (typeof text === 'string') yield { text, path: [...path, key] };
}
