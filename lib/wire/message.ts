import { JsonTextError, setMembers, topLevelMembers } from '@/lib/json/members';
import { isObject, type JsonObject, own } from '@/lib/json/value';

/** MCP allows strings and integers as ids, never null. */
export type RequestId = string | number;

/** The answer to a server's request: the JSON text of a result, sent as it is, or an error. */
export type QuestionAnswer =
  | { readonly result: string }
  | { readonly error: { readonly code: number; readonly message: string } };

/** The `error` member of a JSON-RPC response. `data` can be anything. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Returns one key per id and JSON type: `1` and `"1"` are two ids. A value that can't be an id never equals one that
 * can.
 */
export function idKey(id: unknown): string {
  if (typeof id === 'string') return `s${id}`;
  // Not String(id): a server can send an object whose `toString` is not a function.
  return typeof id === 'number' ? `n${id}` : `x${id === null ? 'null' : typeof id}`;
}

/** Characters of an id in a sentence. */
const ID_CHARS = 40;

/** Formats an id with its JSON type: `the number 3`, `the string "3"`, `null`. */
export function formatId(id: RequestId | null): string {
  if (id === null) return 'null';
  const text = JSON.stringify(id);
  return `the ${typeof id} ${text.length <= ID_CHARS ? text : `${text.slice(0, ID_CHARS)}…`}`;
}

/**
 * Returns the text of a JSON-RPC request, or of a notification without `id`. `paramsText` is spliced in as written, so
 * big integers, duplicate keys and key order survive; line breaks become spaces, because a message is one line on
 * stdio. Members of `meta` are added to the last `_meta` of the params, except those that it already has. Params that
 * are not an object, or whose `_meta` is not one, are sent as they are. Throws {@link JsonTextError} `params-not-json`.
 */
export function messageText(method: string, id?: RequestId, paramsText?: string, meta: JsonObject = {}): string {
  const head = `{"jsonrpc":"2.0"${id === undefined ? '' : `,"id":${JSON.stringify(id)}`},"method":${JSON.stringify(method)}`;
  const added = Object.entries(meta)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, JSON.stringify(value)] as const);
  const metaText = added.length === 0 ? undefined : setMembers('{}', added);
  if (paramsText !== undefined) return `${head},"params":${withMeta(paramsText, metaText, added)}}`;
  return metaText === undefined ? `${head}}` : `${head},"params":{"_meta":${metaText}}}`;
}

function withMeta(
  paramsText: string,
  metaText: string | undefined,
  added: readonly (readonly [key: string, text: string])[],
): string {
  const params = parseParams(paramsText);
  const line = paramsText.replace(/[\r\n]/g, ' ');
  if (!isObject(params) || metaText === undefined) return line;
  const written = topLevelMembers(line).findLast((member) => member.key === '_meta');
  if (written === undefined) return setMembers(line, [['_meta', metaText]]);
  if (!isObject(own(params, '_meta'))) return line;
  const theirs = line.slice(written.start, written.end);
  const taken = new Set(topLevelMembers(theirs).map((member) => member.key));
  return setMembers(line, [
    [
      '_meta',
      setMembers(
        theirs,
        added.filter(([key]) => !taken.has(key)),
      ),
    ],
  ]);
}

function parseParams(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonTextError(
      'params-not-json',
      `The params are not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
      'Correct the text, or use Raw to send bytes that are not JSON.',
    );
  }
}

/** Names an error by its code. Servers also send none, or text; both are read as 0. */
export function errorName(code: number): string {
  return code === 0 ? 'an error whose code is 0 or not a number' : `error ${code}`;
}
