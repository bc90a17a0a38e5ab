import type { PinsRequest } from '@/features/check/lib/pins/pins-api';
import { tryParseJson } from '@/lib/json/exact';
import { isText, objectWith, optional, type TypeCheck } from '@/lib/json/value';
import { askRoute, requestReader } from '@/proxy/http/ask-route';
import type { HttpRoute } from '@/proxy/http/routes';

/** Longest request in bytes: an answer of 16 MiB with all its quotes escaped. */
const PINS_BODY_BYTES = 32 * 1024 * 1024;
/** Characters of a call's name or method. */
const NAME_CHARS = 300;
const KEY_CHARS = 40;

const textUpTo =
  (most: number): TypeCheck =>
  (value) =>
    typeof value === 'string' && value.length <= most;
const isKey = textUpTo(KEY_CHARS);
const isKeys: TypeCheck = (value) => Array.isArray(value) && value.every(isKey);
const isName = textUpTo(NAME_CHARS);
const isJson: TypeCheck = (value) => typeof value === 'string' && tryParseJson(value).ok;
const isAnswer = objectWith({ kind: (value) => value === 'result' || value === 'error', text: isJson });

const readRequest = requestReader<PinsRequest>({
  list: { version: isText },
  answer: { key: isKey },
  pin: { method: (value) => value !== '' && isName(value), params: optional(isJson), answer: optional(isAnswer) },
  rename: { key: isKey, name: isName },
  delete: { key: isKey },
  play: { connection: isText, keys: optional(isKeys) },
  stop: { connection: isText },
  accept: { connection: isText, keys: isKeys },
});

/** The route of everything that the page asks of pinned calls. `run` rejects with a Failure. */
export function pinsRoute(run: (request: PinsRequest) => Promise<unknown>): HttpRoute {
  return askRoute({ path: '/api/pins', bodyBytes: PINS_BODY_BYTES, read: readRequest, run });
}
