import { isObject, own } from '@/lib/json/value';
import type { Path } from '@/lib/protocol/checks';
import { messageRule, quote, type Rule } from '../rule';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Rules about the content of results. */
export const CONTENT_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'base64',
      kinds: ['response'],
      severity: 'error',
      title: 'Invalid base64',
      topic: 'messages',
      advice: 'Encode data and blob as base64 with + and /, padding and no line breaks.',
    },
    ({ body, request }, _state, report) => {
      if (!request) return;
      for (const { text, path } of encoded(own(body, 'result'))) {
        if (text.length % 4 === 0 && BASE64.test(text)) continue;
        const fault = `is not valid base64: ${quote(text.slice(0, 40))}`;
        report({
          message: `${String(path.at(-1))} ${fault}.`,
          path,
          fault,
          seqs: [request.seq],
        });
      }
    },
  ),
  messageRule(
    {
      id: 'resource-uri',
      kinds: ['response'],
      severity: 'warning',
      title: 'Resource URI without a scheme',
      topic: 'resources',
      advice: 'Start the URI with a scheme, such as file: or your own.',
    },
    ({ body, request }, _state, report) => {
      const result = own(body, 'result');
      const resources = request?.method === 'resources/list' && isObject(result) && own(result, 'resources');
      if (!Array.isArray(resources)) return;
      resources.forEach((resource, index) => {
        const uri = isObject(resource) ? own(resource, 'uri') : undefined;
        if (typeof uri !== 'string' || SCHEME.test(uri)) return;
        report({ message: `The resource URI is ${quote(uri)}.`, path: ['result', 'resources', index, 'uri'] });
      });
    },
  ),
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
];

/** Yields the strings of a result that should be base64. */
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
