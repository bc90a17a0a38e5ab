import { topLevelMembers } from '@/lib/json/members';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { unitEscapes } from '@/lib/wire/control-characters';

/** Formats a value as JSON on one line. Never throws: a value nested too deep gets a note instead. */
export function jsonLine(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '"(nested too deep to be shown; --json has it)"';
  }
}

/** Formats a value as one line of JSON. Escapes control characters, because terminals act on them. */
export function terminalJson(value: unknown): string {
  return jsonLine(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, unitEscapes);
}

/** Tokens of JSON text: strings, brackets, separators, and runs of other characters. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs;
/** Deepest level that is indented further: a million levels would need a terabyte of blanks. */
const DEEPEST = 32;

/** Indents JSON text without parsing it, so that digits, duplicate keys and key order stay. */
export function indentJson(text: string): string {
  let depth = 0;
  let written = '';
  let before = '';
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, DEEPEST))}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(depth - 1, 0);
    if (before === '{' || before === '[') {
      if (!closes) written += newLine();
    } else if (closes || before === ',') written += newLine();
    written += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return written;
}

/** Text form of each content type. Unknown and malformed blocks are shown as JSON. */
const BLOCKS: ReadonlyMap<unknown, (block: JsonObject) => string | undefined> = new Map([
  ['text', (block) => textOf(block, 'text')],
  ['image', (block) => binary('image', own(block, 'mimeType'), own(block, 'data'))],
  ['audio', (block) => binary('audio', own(block, 'mimeType'), own(block, 'data'))],
  ['resource', (block) => resourceText(own(block, 'resource'))],
  ['resource_link', linkText],
]);

/** Formats a content block of a result or message. Accepts anything. */
export function blockText(block: unknown): string {
  if (!isObject(block)) return indentedJson(block);
  return BLOCKS.get(own(block, 'type'))?.(block) ?? indentedJson(block);
}

/** Formats resource contents: the text, or a summary of the bytes. */
export function resourceText(contents: unknown): string {
  if (!isObject(contents)) return indentedJson(contents);
  const blob = own(contents, 'blob');
  const text = textOf(contents, 'text');
  if (text !== undefined) return text;
  const uri = textOf(contents, 'uri');
  return binary(uri ?? 'resource', own(contents, 'mimeType'), blob) ?? indentedJson(contents);
}

/** Formats a value as indented JSON. */
export function indentedJson(value: unknown): string {
  return indentJson(jsonLine(value));
}

function textOf(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

function linkText(block: JsonObject): string | undefined {
  const uri = textOf(block, 'uri');
  const name = textOf(block, 'name');
  return uri === undefined ? undefined : `[link ${uri}${name === undefined ? '' : ` ${name}`}]`;
}

/** Summarises base64 data, whose four characters hold three bytes. */
function binary(what: string, mimeType: unknown, base64: unknown): string | undefined {
  if (typeof base64 !== 'string') return undefined;
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
  return `[${what}${typeof mimeType === 'string' ? ` ${mimeType}` : ''}, ${bytes} bytes; --json has them]`;
}

/** Formats a tool's result: content blocks one after another, then structured content unless a block repeats it. */
export function resultForPeople(result: unknown, text: string): string {
  const blocks = isObject(result) ? own(result, 'content') : undefined;
  if (!Array.isArray(blocks)) return indentJson(text);
  const shown = blocks.map(blockText);
  const member = topLevelMembers(text).findLast(({ key }) => key === 'structuredContent');
  const structured = member && indentJson(text.slice(member.start, member.end));
  if (structured !== undefined && !shown.some((block) => indentJson(block) === structured)) shown.push(structured);
  return shown.join('\n');
}
