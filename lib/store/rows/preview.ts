import { compactName, previewJson } from '@/lib/json/compact';
import { type JsonMembers, memberText, partialItems, partialMembers } from '@/lib/json/members';
import { withoutBom } from '@/lib/json/parse';
import { spanSubject } from '@/lib/otel/span-subject';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { countOf } from '@/lib/wire/format';
import { decodeLossy } from '../classify';
import type { Columns } from '../columns/columns';
import { logLineOf } from './log-message';
import type { RowKind } from './row';

/** Most characters of a preview. */
const PREVIEW_CHARS = 300;
/** Bytes that are read of a message. */
const READ_BYTES = 4096;
/** Bytes that are read of a list, to count its items. */
const LIST_BYTES = 64 * 1024;
/** Most previews that are kept. A screen shows about 50. */
const KEPT = 1000;

/** Kinds of rows that have a preview. The others are a text themselves. */
const PREVIEWED: ReadonlySet<RowKind> = new Set<RowKind>(['request', 'response', 'error', 'notification', 'other']);

/** True if the row is a message, whose content fits into one line. */
export function hasPreview(kind: RowKind): boolean {
  return PREVIEWED.has(kind);
}

/** The contents of messages on one line, made when they are first asked for. */
export class Previews {
  readonly #columns: Columns;
  readonly #listChange: (seq: number) => string | undefined;
  readonly #kept = new Map<number, string>();

  /** `listChange` returns what a response with the end of a list changed. */
  constructor(columns: Columns, listChange: (seq: number) => string | undefined) {
    this.#columns = columns;
    this.#listChange = listChange;
  }

  /**
   * Returns what the message at `index` says, on one line: its arguments, result, error or notification. '' if it says
   * nothing more than its row; undefined without its bytes, and for other frames. Server text.
   */
  get(index: number): string | undefined {
    const kept = this.#kept.get(index);
    if (kept !== undefined) return kept;
    const { bytes, kind, method, name } = this.#facts(index);
    // The row of another channel's frame is its text, except for telemetry.
    const isText = !hasPreview(kind) || (kind === 'other' && method === undefined);
    if (isText || !this.#columns.bytes.has(index)) return undefined;
    const text = formatPreview(kind, method, name, bytes);
    const change = this.#listChange(index + 1);
    const preview = change === undefined ? text : `${change} · ${text}`;
    this.#kept.set(index, preview);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return preview;
  }

  #facts(index: number) {
    const columns = this.#columns;
    const method = columns.method(columns.methodRow(index));
    const limit = method?.endsWith('/list') ? LIST_BYTES : READ_BYTES;
    const bytes = columns.bytes.get(index, limit);
    return { bytes, kind: columns.kind(index), method, name: columns.name(index) };
  }
}

/**
 * Formats the content of a message from its first bytes. `name` is what its row says already, so it is left out of the
 * parameters.
 */
export function formatPreview(
  kind: RowKind,
  method: string | undefined,
  name: string | undefined,
  bytes: Uint8Array,
): string {
  const message = partialMembers(withoutBom(decodeLossy(bytes)));
  return oneLine(CONTENTS[kind]?.(message, method, name) ?? '');
}

const CONTENTS: {
  readonly [K in RowKind]?: (message: JsonMembers, method: string | undefined, name: string | undefined) => string;
} = {
  request: (message, method, name) => formatParams(message.get('params') ?? '', method, name),
  notification: (message, method, name) => formatParams(message.get('params') ?? '', method, name),
  response: (message) => formatResult(message.get('result') ?? ''),
  error: (message) => formatError(message.get('error') ?? ''),
  other: formatTelemetry,
};

/**
 * Formats what a span was about or the body of a log record, the service, and why a span failed. Only the service for a
 * resource.
 */
function formatTelemetry(message: JsonMembers, unit: string | undefined): string {
  if (unit === 'resource') {
    const attributes = partialItems(message.get('attributes') ?? '').items.map(partialMembers);
    const name = attributes.find((one) => memberText(one.get('key')) === 'service.name');
    return memberText(partialMembers(name?.get('value') ?? '').get('stringValue')) ?? '';
  }
  const facts = partialMembers(message.get(unit ?? '') ?? '');
  const body = partialMembers(facts.get('body') ?? '');
  const text = memberText(body.get('stringValue')) ?? previewJson(facts.get('body') ?? '', PREVIEW_CHARS);
  const failure = memberText(partialMembers(facts.get('status') ?? '').get('message'));
  const subject = unit === 'span' ? formatSubject(facts.get('attributes') ?? '') : undefined;
  return [subject, memberText(message.get('service')), text, failure].filter(Boolean).join(' · ');
}

function formatSubject(attributes: string): string | undefined {
  const values = new Map<string | undefined, string | undefined>();
  for (const item of partialItems(attributes).items) {
    const attribute = partialMembers(item);
    const value = partialMembers(attribute.get('value') ?? '');
    values.set(memberText(attribute.get('key')), memberText(value.get('stringValue')));
  }
  return spanSubject((key) => values.get(key));
}

/** Joins lines and shortens the text. */
function oneLine(text: string): string {
  const line = text
    .slice(0, 2 * PREVIEW_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  // Half of a surrogate pair would be shown as an escape.
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

type Formatting = (members: JsonMembers) => string | undefined;

const PARAMS: ReadonlyMap<string | undefined, Formatting> = new Map<string | undefined, Formatting>([
  ['initialize', (params) => memberText(params.get('protocolVersion'))],
  ['tools/call', (params) => formatArguments(params.get('arguments'))],
  ['prompts/get', (params) => formatArguments(params.get('arguments'))],
  ['sampling/createMessage', (params) => formatMessages(params.get('messages'))],
  ['elicitation/create', (params) => memberText(params.get('message'))],
  ['notifications/message', formatLogMessage],
  ['notifications/progress', formatProgress],
  ['notifications/tasks', formatTask],
  ['notifications/tasks/status', formatTask],
  ['subscriptions/listen', formatFilter],
  ['notifications/subscriptions/acknowledged', formatFilter],
]);

function formatParams(json: string, method: string | undefined, name: string | undefined): string {
  if (!json.startsWith('{')) return previewJson(json, PREVIEW_CHARS);
  const params = partialMembers(json);
  return PARAMS.get(method)?.(params) ?? formatMembers(params, name);
}

function formatArguments(json: string | undefined): string {
  return json === undefined || json === '{}' ? '' : previewJson(json, PREVIEW_CHARS);
}

/** Formats members as an object, without `_meta` and those that say `known`. */
function formatMembers(members: JsonMembers, known?: string): string {
  const shown = [...members].filter(([name, json]) => name !== '_meta' && memberText(json) !== known);
  const texts = shown.map(([name, json]) => `${compactName(name)}: ${previewJson(json, PREVIEW_CHARS)}`);
  return texts.length === 0 ? '' : `{${texts.join(', ')}}`;
}

function formatLogMessage(params: JsonMembers): string {
  const { level, logger, data } = logLineOf(params, PREVIEW_CHARS);
  return [level, logger, data].filter(Boolean).join(' · ');
}

function formatProgress(params: JsonMembers): string {
  const [progress, total] = [params.get('progress'), params.get('total')];
  const done = total === undefined || progress === undefined ? progress : `${progress}/${total}`;
  return withoutAnsi([done, memberText(params.get('message'))].filter(Boolean).join(' · '));
}

/** Formats a task of either era: its status, and its result or what it says about itself. */
function formatTask(task: JsonMembers): string {
  const [result, error] = [task.get('result'), task.get('error')];
  const outcome = result === undefined ? error && formatError(error) : formatResult(result);
  const about = outcome || memberText(task.get('statusMessage'));
  return [memberText(task.get('status')), about].filter(Boolean).join(' · ');
}

/** Formats what a stream is to notify about: `toolsListChanged, file:///a`. */
function formatFilter(params: JsonMembers): string | undefined {
  const wanted = [...partialMembers(params.get('notifications') ?? '')].map(([name, json]) => {
    if (json === 'true') return name;
    return partialItems(json).items.map(memberText).filter(Boolean).join(', ');
  });
  return wanted.filter(Boolean).join(', ') || undefined;
}

function formatError(json: string): string {
  if (!json.startsWith('{')) return previewJson(json, PREVIEW_CHARS);
  const error = partialMembers(json);
  return [error.get('code')?.replace('-', '−'), memberText(error.get('message'))].filter(Boolean).join(' ');
}

/** Members of results and how they are shown. The first that says something is shown. */
const RESULTS: readonly (readonly [member: string, (json: string) => string])[] = [
  ['content', formatContent],
  ['contents', formatContent],
  ['messages', formatMessages],
  ['tools', listing('tool')],
  ['resources', listing('resource')],
  ['resourceTemplates', listing('template')],
  ['prompts', listing('prompt')],
  ['roots', listing('root')],
  ['tasks', listing('task')],
  ['task', (json) => formatTask(partialMembers(json))],
  ['structuredContent', (json) => previewJson(json, PREVIEW_CHARS)],
];

function formatResult(json: string): string {
  if (!json.startsWith('{')) return previewJson(json, PREVIEW_CHARS);
  const result = partialMembers(json);
  if (result.has('capabilities')) return formatServer(result);
  if (result.has('action')) return [result.get('action'), result.get('content')].map(formatAnswer).join(' ');
  if (result.has('taskId')) return formatTask(result);
  for (const [member, format] of RESULTS) {
    const value = result.get(member);
    const text = value === undefined ? '' : format(value);
    if (text !== '') return text;
  }
  return formatMembers(result);
}

/** Formats the versions and the capabilities of a server, whose name is in its row. */
function formatServer(result: JsonMembers): string {
  const capabilities = [...partialMembers(result.get('capabilities') ?? '{}').keys()];
  const versions = previewJson(result.get('supportedVersions') ?? '', PREVIEW_CHARS);
  return [memberText(result.get('protocolVersion')) ?? versions, capabilities.join(', ')].filter(Boolean).join(' · ');
}

/** Formats a part of the answer to an elicitation: `accept {name: "x"}`. */
function formatAnswer(json: string | undefined): string {
  return json?.startsWith('"') ? memberText(json)! : formatArguments(json);
}

/** The members that name an item of a list. */
const NAMES: readonly string[] = ['name', 'uri', 'uriTemplate', 'taskId'];

/** Returns a format for lists: `17 tools: echo, get-env`. */
function listing(noun: string): (json: string) => string {
  return (json) => {
    const { items, whole } = partialItems(json);
    // The last item is not complete, so at least the others exist.
    const count = whole ? countOf(items.length, noun) : `${items.length - 1}+ ${noun}s`;
    let names = '';
    for (const item of items) {
      if (names.length > PREVIEW_CHARS) break;
      const members = partialMembers(item);
      const name = memberText(NAMES.map((member) => members.get(member)).find((json) => json !== undefined));
      if (name !== undefined) names += names === '' ? `: ${name}` : `, ${name}`;
    }
    return count + names;
  };
}

/** Formats one content block or an array of them: texts, and what the others are. */
function formatContent(json: string): string {
  const blocks = json.startsWith('[') ? partialItems(json).items : [json];
  return joined(blocks, (block) => formatBlock(partialMembers(block)));
}

function formatBlock(block: JsonMembers): string {
  const text = memberText(block.get('text'));
  if (text !== undefined) return text;
  const resource = block.get('resource');
  if (resource !== undefined) return formatBlock(partialMembers(resource));
  const parts = [block.get('type'), block.get('mimeType') ?? block.get('uri')].map(memberText).filter(Boolean);
  return parts.length === 0 ? '' : `[${parts.join(' ')}]`;
}

/** Formats the messages of a prompt or of a request for sampling: `user: Hello`. */
function formatMessages(json: string | undefined): string {
  return joined(partialItems(json ?? '').items, (item) => {
    const message = partialMembers(item);
    const role = memberText(message.get('role'));
    return [role && `${role}:`, formatContent(message.get('content') ?? '[]')].filter(Boolean).join(' ');
  });
}

/** Joins the texts of items with spaces, as many as a preview shows. */
function joined(items: readonly string[], format: (item: string) => string): string {
  let text = '';
  for (const item of items) {
    if (text.length > PREVIEW_CHARS) break;
    text += `${format(item)} `;
  }
  return text;
}
