import { isObject, own, textOrJson } from '@/lib/json/value';
import { parseJson } from '@/lib/store/classify';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { errorLine } from '@/lib/store/rows/error-line';
import { type EvidenceReader, FindingGroups, WEIGHT } from './evidence';
import { contentText } from './requests';

/** Results that are looked at, the newest first, and the bytes of the longest. */
const MOST_RESULTS = 5000;
const RESULT_BYTES = 256 * 1024;

/** A result, and what it answers. */
interface Answered {
  readonly seq: number;
  readonly method: string;
  readonly name: string | undefined;
  readonly result: Record<string, unknown>;
}

/** Yields results in memory that count as success. */
function* resultsOf(log: Log, method: string): Generator<Answered> {
  const { columns, size } = log;
  let left = MOST_RESULTS;
  for (let index = size - 1; index >= 0 && left > 0; index--) {
    if (columns.kind(index) !== 'response' || columns.status(index) !== 'ok') continue;
    if (columns.method(columns.methodRow(index)) !== method || columns.bytes.length(index) > RESULT_BYTES) continue;
    left--;
    const result = messageSource(log, index + 1, columns.id(index))?.member('result')?.value;
    if (isObject(result)) yield { seq: index + 1, method, name: columns.name(columns.methodRow(index)), result };
  }
}

/** Lines of a text that are read for an error. */
const ERROR_LINES = 50;

/** Results of tools that count as success, although their text is an error. */
export const swallowedErrors: EvidenceReader = ({ log }) => {
  const groups = new FindingGroups();
  for (const { seq, name, result } of resultsOf(log, 'tools/call')) {
    const text = contentText(own(result, 'content'));
    const error = errorIn(text) ?? errorMember(own(result, 'structuredContent'));
    if (error === undefined) continue;
    groups.add([name, error].join('\0'), seq, () => ({
      code: 'error-as-success',
      severity: 'warning',
      weight: WEIGHT.swallowed,
      title: 'A result that counts as success looks like an error',
      detail: `${name ?? 'tool'}: ${error}`,
      advice: 'Set isError to true in the result, so that models know that the call failed.',
    }));
  }
  return groups.findings();
};

function errorIn(text: string): string | undefined {
  const start = text.trimStart();
  const isJson = start.startsWith('{');
  if (isJson) return errorMember(parseJson(start));
  const lines = text.split('\n', ERROR_LINES);
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  if (/^(?:error|failed|failure|exception|traceback)\b/i.test(first)) return first.slice(0, 200);
  // An error further below may be what the tool reads, such as a log, so only one with a stack counts.
  const hasStack = lines.some((line) => /^\s+at \S|^\s*File "[^"]+", line \d/.test(line));
  return hasStack ? errorLine(lines, (line) => line)?.slice(0, 200) : undefined;
}

/** Returns the error that an object reports in the usual ways. */
function errorMember(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const error = own(value, 'error');
  if (typeof error === 'string' && error !== '') return `error: ${error.slice(0, 200)}`;
  if (isObject(error)) return `error: ${JSON.stringify(error).slice(0, 200)}`;
  for (const member of ['ok', 'success']) if (own(value, member) === false) return `${member}: false`;
  const status = own(value, 'status');
  return status === 'error' || status === 'failed' ? `status: ${status}` : undefined;
}

/** The first bytes of files, as base64, and their types. */
const MAGIC: readonly (readonly [start: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['JVBERi0', 'application/pdf'],
  ['PHN2Zy', 'image/svg+xml'],
  ['UEsDB', 'application/zip'],
  ['H4sI', 'application/gzip'],
  ['T2dnUw', 'audio/ogg'],
  ['SUQz', 'audio/mpeg'],
];
/** Types whose files begin like that of another type. */
const CONTAINERS = /^application\/(?:zip|.*\+zip|vnd\.|epub|java-archive|octet-stream)/;

/** Content whose MIME type contradicts its bytes, its text or the list. */
export const mimeTypes: EvidenceReader = ({ log }) => {
  const groups = new FindingGroups();
  const add = (seq: number, detail: string): void =>
    groups.add(detail, seq, () => ({
      code: 'mime-type-wrong',
      severity: 'warning',
      weight: WEIGHT.content,
      title: 'A MIME type does not fit the content',
      detail,
      advice: 'Send the type of the content. Hosts choose how to show it by this type.',
    }));
  const listed = new Map(log.state.resources.items.map(({ uri, raw }) => [uri, own(raw, 'mimeType')]));
  for (const { seq, name, result } of resultsOf(log, 'tools/call')) {
    for (const block of blocksOf(own(result, 'content'))) {
      const resource = own(block, 'resource');
      const fault = isObject(resource) ? contentFault(resource, 'blob') : contentFault(block, 'data');
      if (fault) add(seq, `${name ?? 'tool'}: ${fault}`);
    }
  }
  for (const { seq, result } of resultsOf(log, 'resources/read')) {
    for (const content of blocksOf(own(result, 'contents'))) {
      const uri = own(content, 'uri');
      const about = typeof uri === 'string' ? `${uri.slice(0, 200)}: ` : '';
      const fault = contentFault(content, 'blob');
      if (fault) add(seq, about + fault);
      const [expected, type] = [listed.get(textOrJson(uri)), own(content, 'mimeType')];
      if (typeof expected === 'string' && typeof type === 'string' && bare(expected) !== bare(type))
        add(seq, `${about}the list says ${expected.slice(0, 100)}, the content ${type.slice(0, 100)}`);
    }
  }
  return groups.findings();
};

function blocksOf(list: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(list) ? list.slice(0, 50).filter(isObject) : [];
}

function bare(type: string): string {
  return type.split(';', 1)[0]!.trim().toLowerCase();
}

function contentFault(content: Record<string, unknown>, member: string): string | undefined {
  const [type, data, text] = [own(content, 'mimeType'), own(content, member), own(content, 'text')];
  if (typeof type !== 'string') return undefined;
  const declared = bare(type);
  if (typeof data === 'string') {
    const [, real] = MAGIC.find(([start]) => data.startsWith(start)) ?? [];
    if (real === undefined || real === declared || CONTAINERS.test(declared)) return undefined;
    return `declared as ${declared.slice(0, 100)}, the bytes are ${real}`;
  }
  if (typeof text === 'string' && declared === 'application/json' && parseJson(text) === undefined)
    return 'declared as application/json, but the text is not JSON';
  return undefined;
}
