import { isObject, type JsonObject, own, type RequestId } from '@/lib/wire/message';

/** What a transport over HTTP has to know of a text that it posts. Nothing, if that is no JSON. */
export interface Outgoing {
  readonly text: string;
  /** Of its requests; a batch may have several. */
  readonly ids: readonly RequestId[];
  readonly method: string | undefined;
  readonly params: JsonObject;
  /** The version that its `_meta` names, as modern requests do. */
  readonly version: string | undefined;
}

/** What ends the legacy handshake. */
export const INITIALIZED = 'notifications/initialized';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Reads what is to be posted. Never throws. */
export function readOutgoing(text: string): Outgoing {
  const sent = parse(text);
  const messages = (Array.isArray(sent) ? sent : [sent]).filter(isObject);
  const ids = messages.flatMap((message) => {
    const id = own(message, 'id');
    const asks = typeof own(message, 'method') === 'string';
    return asks && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
  });
  const only = isObject(sent) ? sent : {};
  const method = own(only, 'method');
  const params = own(only, 'params');
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const version = isObject(meta) ? own(meta, VERSION_KEY) : undefined;
  return {
    text,
    ids,
    method: typeof method === 'string' ? method : undefined,
    params: isObject(params) ? params : {},
    version: typeof version === 'string' ? version : undefined,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
