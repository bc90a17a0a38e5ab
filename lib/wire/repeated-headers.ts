import { parseBounded } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { type HeaderParam, readHeaderParams } from './param-headers';

const PLAIN = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;
const SENTINEL = /^=\?base64\?.*\?=$/;

/** Encodes a header value: as it is if possible, else as `=?base64?…?=` of its UTF-8. */
export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value) && !SENTINEL.test(value)) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}

/** Decodes a header value that {@link encodeHeaderValue} has encoded. Returns an invalid one as it is. */
export function decodeHeaderValue(value: string): string {
  if (!SENTINEL.test(value)) return value;
  try {
    const bytes = Uint8Array.from(atob(value.slice(9, -2)), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}

/** The param that goes into the `Mcp-Name` header, by method (2026-07-28, standard request headers). */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

type Headers = readonly (readonly [name: string, value: string])[];

/** Returns the headers that repeat the method of a modern request, and what it names: a tool, prompt, URI or task. */
export function standardHeaders(method: string | undefined, params: JsonObject): Headers {
  if (method === undefined) return [];
  const key = NAMED_BY.get(method);
  const name = key === undefined ? undefined : own(params, key);
  return [
    ['Mcp-Method', encodeHeaderValue(method)],
    ...(typeof name === 'string' ? [['Mcp-Name', encodeHeaderValue(name)] as const] : []),
  ];
}

/** A header that repeats an argument, as a call with these arguments sends it. */
interface ParamHeader {
  /** With its prefix `Mcp-Param-`. */
  readonly name: string;
  /** Property names, from the arguments down. */
  readonly path: readonly string[];
  /** The argument as text. undefined if it has no header: it is absent, null, an object or an array. */
  readonly text: string | undefined;
  /** {@link text} as the header holds it. */
  readonly value: string | undefined;
  /** Why servers will refuse the call. */
  readonly problem?: string;
}

/** Bytes of a header's value. Many servers refuse a request whose headers are longer than 8 KB in all. */
const LONG_VALUE = 8000;

/** Returns the header of each annotated argument. `sent`: the arguments; undefined if there are none. */
export function paramHeaders(params: readonly HeaderParam[], sent: JsonSource | undefined): readonly ParamHeader[] {
  return params.map(({ header, path }) => {
    const source = path.reduce((at, key) => at?.member(key), sent);
    const text = headerText(source);
    const value = text === undefined ? undefined : encodeHeaderValue(text);
    const problem = problemOf(source, value);
    return { name: `Mcp-Param-${header}`, path, text, value, ...(problem !== undefined && { problem }) };
  });
}

function problemOf(source: JsonSource | undefined, value: string | undefined): string | undefined {
  if (source?.kind === 'object' || source?.kind === 'array') {
    return `An ${source.kind} can’t be a header. Set a string, an integer or a boolean.`;
  }
  if (source?.kind === 'number' && !Number.isSafeInteger(source.value)) {
    return 'Servers may read this number differently. Set an integer within ±(2^53 − 1).';
  }
  return value !== undefined && value.length > LONG_VALUE
    ? 'Many servers refuse headers longer than 8 KB. Set a shorter value.'
    : undefined;
}

/** The headers that calls of a server's tools need, learned from its tool lists. */
export class ParamHeaders {
  readonly #tools = new Map<string, readonly HeaderParam[]>();

  /** Reads the text of an answer to `tools/list`. Never throws. */
  learnTools(text: string): void {
    let answer: unknown;
    try {
      answer = parseBounded(text);
    } catch {
      return;
    }
    const result = isObject(answer) ? own(answer, 'result') : undefined;
    const tools = isObject(result) ? own(result, 'tools') : undefined;
    for (const tool of Array.isArray(tools) ? tools : []) {
      const name = isObject(tool) ? own(tool, 'name') : undefined;
      if (typeof name === 'string') this.#tools.set(name, readHeaderParams(own(tool, 'inputSchema')).params);
    }
  }

  /** True if the tool was in a list. */
  knows(name: string): boolean {
    return this.#tools.has(name);
  }

  /**
   * Returns the headers for a `tools/call` of the tool `name`; `text` is the message. Absent and null arguments have
   * none. Integers beyond 2^53 keep all digits, because the server compares them with the body.
   */
  headersFor(name: string, text: string): (readonly [string, string])[] {
    const wanted = this.#tools.get(name) ?? [];
    if (wanted.length === 0) return [];
    const sent = JsonSource.parse(text)?.member('params')?.member('arguments');
    return paramHeaders(wanted, sent).flatMap(({ name, value }) =>
      value === undefined ? [] : [[name, value] as const],
    );
  }
}

/** Returns a value as header text. undefined for types that have no header. */
function headerText(source: JsonSource | undefined): string | undefined {
  if (source?.kind === 'string') return source.value as string;
  if (source?.kind === 'boolean') return source.text;
  if (source?.kind !== 'number') return undefined;
  return Number.isSafeInteger(source.value) ? String(source.value) : source.text;
}
