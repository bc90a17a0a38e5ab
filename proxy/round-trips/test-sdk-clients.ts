import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ANSWERS } from './test-acts';
import type { Expected } from './test-expected';
import { SERVERS } from './test-trips';

/** The part of both SDKs' clients that is used here. Only SDK 2 has `listen`. */
interface Connecting {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listen?(filter: object): Promise<unknown>;
  listTools(): Promise<unknown>;
  fallbackNotificationHandler?: (notification: { readonly method: string }) => Promise<void>;
}

/** An official client, loaded but not connected. */
export interface SdkClient {
  readonly client: Connecting;
  /** Resolves with the unparsed result. */
  ask(method: string, params: object, options: object): Promise<unknown>;
  http(url: string): unknown;
}

const HANDLED = ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const;
const INFO = { name: 'oracle', version: '1' };
const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };
/** A Standard Schema that accepts every value. */
const ANYTHING = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };

const second = (mode: 'legacy' | 'auto') => async (asked: string[]) => {
  const client = new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  for (const method of HANDLED) client.setRequestHandler(method, async () => answer(method, asked) as never);
  return {
    client: client as Connecting,
    // Over HTTP some tool arguments are repeated in headers, and only `callTool` does that.
    ask: (method: string, params: object, options: object) =>
      method === 'tools/call' && client.getProtocolEra() === 'modern'
        ? client.callTool(params as never, options)
        : client.request({ method, params } as never, ANYTHING as never, options),
    http: (url: string) => new StreamableHTTPClientTransport(new URL(url)),
  };
};

const SDK = join(SERVERS, 'node_modules/@modelcontextprotocol/sdk/dist/esm');

const first = async (asked: string[]) => {
  const [{ Client: Old }, http, types] = await Promise.all([
    import(join(SDK, 'client/index.js')),
    import(join(SDK, 'client/streamableHttp.js')),
    import(join(SDK, 'types.js')),
  ]);
  const client = new Old(INFO, { capabilities: CAPABILITIES });
  const schemas = [types.CreateMessageRequestSchema, types.ElicitRequestSchema, types.ListRootsRequestSchema];
  for (const [at, schema] of schemas.entries()) {
    client.setRequestHandler(schema, async () => answer(HANDLED[at]!, asked));
  }
  return {
    client,
    ask: (method: string, params: object, options: object) =>
      client.request({ method, params }, types.ResultSchema, options),
    http: (url: string) => new http.StreamableHTTPClientTransport(new URL(url)),
  };
};

function answer(method: string, asked: string[]): unknown {
  asked.push(method);
  return ANSWERS[method];
}

/** Makes each client, by name. It adds the method of every server request it answers to `asked`. */
export const CLIENTS: Readonly<Record<string, (asked: string[]) => Promise<SdkClient>>> = {
  'SDK 1': first,
  'SDK 2, legacy': second('legacy'),
  'SDK 2, auto': second('auto'),
};

/** Results and notifications that a client received. */
export interface Received {
  readonly results: readonly unknown[];
  /** Number of notifications by method. */
  readonly notices: Readonly<Record<string, number>>;
}

/** Makes the recorded calls one after another. Pages of lists use the cursors that the replay returns. */
export async function perform({ client, ask }: SdkClient, { calls, listens }: Expected): Promise<Received> {
  const notices: Record<string, number> = {};
  const count = (method: string): void => {
    notices[method] = (notices[method] ?? 0) + 1;
  };
  client.fallbackNotificationHandler = async ({ method }) => count(method);
  if (listens !== undefined) {
    await client.listen?.(listens);
    await client.listTools();
  }
  const results: unknown[] = [];
  const cursors: Record<string, string | undefined> = {};
  for (const { method, params, cancelled } of calls) {
    const { cursor: recorded, ...rest } = params;
    const asked = recorded === undefined ? rest : { ...rest, cursor: cursors[method] };
    const abort = new AbortController();
    const onprogress = (): void => {
      if (cancelled) abort.abort();
      else count('notifications/progress');
    };
    const result = await ask(method, asked, { onprogress, signal: abort.signal }).catch(
      ({ code, message }: { code?: unknown; message: string }) => ({ code, message }),
    );
    results.push(result);
    cursors[method] = (result as { nextCursor?: string }).nextCursor;
  }
  return { results, notices };
}
