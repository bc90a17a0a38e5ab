import { ConnectionError } from '@/lib/transports/transport';
import {
  type BundleReply,
  type ConnectionsReply,
  type EnvironmentReply,
  type RecordingAbout,
  type RecordingConvertedLine,
  type RecordingImportedReply,
  type RecordingOpenedReply,
  type RecordingsReply,
  type RetentionReply,
  type RetentionSettings,
  type ServerChange,
  type ServersReply,
  TOKEN_HEADER,
} from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { readCount } from '@/lib/wire/read-count';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import type { CallChange, CallsReply } from '@/lib/wire/saved-calls';
import type { Settings, SettingsReply } from '@/lib/wire/settings';
import type { AddOptions } from './file-import';
import type { TransferProgress } from './upload';

/** Sends a request. */
type Fetch = (path: string, init: RequestInit, progress?: TransferProgress) => Promise<Response>;

/** How a file is read. */
export interface ReadFileOptions {
  readonly signal?: AbortSignal;
  readonly onRead?: (progress: ReadingProgress) => void;
}

/** The reply of each path under `/api`. */
interface Replies {
  '/api/connections': ConnectionsReply;
  '/api/servers': ServersReply;
  '/api/environment': EnvironmentReply;
  '/api/settings': SettingsReply;
}

/** Requests to the proxy over plain HTTP, with the token. */
export class Api {
  readonly #token: string;
  readonly #fetch: Fetch;

  constructor(token: string, fetch: Fetch) {
    this.#token = token;
    this.#fetch = fetch;
  }

  /** Requests one path. Rejects with a Failure: `proxy-unreachable`, `token-refused` or `proxy-error`. */
  async get<P extends keyof Replies>(path: P, signal?: AbortSignal): Promise<Replies[P]> {
    return readJson(await this.#asked(path, { signal }));
  }

  /** Lists the newest `most` recordings. */
  async recordings(most: number, signal?: AbortSignal): Promise<RecordingsReply> {
    return readJson(await this.#asked(`/api/recordings?most=${most}`, { signal }));
  }

  /** Opens a recording as a connection. Rejects with a Failure, as all methods below do. */
  async openRecording(id: string): Promise<RecordingOpenedReply> {
    return readJson(await this.#post('/api/recordings/open', { id }));
  }

  /** Returns the file of a recording. */
  async readRecording(id: string, { signal, onRead }: ReadFileOptions = {}): Promise<Blob> {
    const response = await this.#post('/api/recordings/file', { id }, signal);
    return (onRead ? countRead(response, onRead) : response).blob();
  }

  /** Returns the first frames of a live connection as a recording, without the secrets that the proxy knows. */
  async readLog(id: string, frames: number): Promise<ReadableStream<Uint8Array>> {
    return (await this.#post('/api/connections/log', { id, frames })).body!;
  }

  async deleteRecording(id: string): Promise<void> {
    await this.#post('/api/recordings/delete', { id });
  }

  /** Sets the name and description of a recording. */
  async describeRecording(id: string, { name, text }: RecordingAbout): Promise<void> {
    await this.#post('/api/recordings/about', { id, name, text });
  }

  /** Unpacks an MCP bundle, and returns its server as the text of a config. */
  async readBundle(file: Blob): Promise<BundleReply> {
    const headers = { 'content-type': 'application/octet-stream' };
    return readJson(await this.#asked('/api/bundles', { method: 'POST', headers, body: file }));
  }

  /** Copies a file to the recordings folder. An abort leaves nothing there. */
  async importRecording(file: Blob, { signal, onSent, onConverted }: AddOptions): Promise<RecordingImportedReply> {
    const headers = { 'content-type': 'application/octet-stream' };
    const init = { method: 'POST', headers, body: file, signal };
    const onReceived = (text: string): void => {
      const converted = lastLine(text)?.converted;
      if (converted) onConverted(converted);
    };
    const response = await this.#asked('/api/recordings/import', init, { onSent, onReceived });
    const { id, code, message, advice } = lastLine(await response.text()) ?? {};
    if (id !== undefined) return { id };
    throw new ConnectionError(code ? { code, message: message!, advice: advice! } : unexpected(response));
  }

  /**
   * Sets the limits (days and bytes) for kept recordings. If that would delete recordings, changes nothing and returns
   * those recordings, unless `anyway`.
   */
  async keepRecordings({ days, bytes }: RetentionSettings, anyway: boolean): Promise<RetentionReply> {
    return readJson(await this.#post('/api/recordings/keep', { days, bytes, anyway }));
  }

  /** Confirms that a person saw which recordings were deleted automatically. */
  async sawDeleted(): Promise<void> {
    await this.#post('/api/recordings/seen', {});
  }

  /** Returns a tool's saved calls and recent arguments. Rejects with a Failure, as `changeCalls` does. */
  async calls(key: string, signal?: AbortSignal): Promise<CallsReply> {
    return readJson(await this.#asked(`/api/calls?key=${encodeURIComponent(key)}`, { signal }));
  }

  /** Changes a tool's saved calls or recent arguments. Resolves to the calls after the change. */
  async changeCalls(key: string, change: CallChange): Promise<CallsReply> {
    return readJson(await this.#post('/api/calls', { key, change }));
  }

  /**
   * Asks a part of the proxy by its path, such as `chats`. The caller knows the type of the reply. Rejects with a
   * Failure.
   */
  async ask<Reply>(part: string, request: Readonly<Record<string, unknown>>): Promise<Reply> {
    return readJson(await this.#post(`/api/${part.split('/').map(encodeURIComponent).join('/')}`, request));
  }

  /** Changes some settings and returns all of them. Rejects with a Failure. */
  async changeSettings(change: Partial<Settings>): Promise<SettingsReply> {
    return readJson(await this.#post('/api/settings', { ...change }));
  }

  /** Changes the kept servers. Resolves to all servers after the change. */
  async changeServers(change: ServerChange): Promise<ServersReply> {
    return readJson(await this.#post('/api/servers/change', { ...change }));
  }

  #post(path: string, request: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return this.#asked(path, { method: 'POST', headers, body: JSON.stringify(request), ...(signal && { signal }) });
  }

  /** Sends a request and returns the response. Rejects with a Failure if the status is not 2xx. */
  async #asked(path: string, init: RequestInit, progress?: TransferProgress): Promise<Response> {
    const response = await this.#ask(path, init, progress);
    if (isRefusal(response)) {
      throw new ConnectionError({
        code: 'token-refused',
        message: 'mcp-inspect does not know this page, because it was restarted.',
        advice: 'Open the new link in the terminal.',
      });
    }
    if (response.ok) return response;
    // With status 409 the body is a Failure as JSON.
    const failure = response.status === 409 ? await response.json().catch(() => undefined) : undefined;
    throw new ConnectionError(failure ?? unexpected(response));
  }

  /** Returns true if the proxy responds and refuses our token. */
  async isTokenRefused(): Promise<boolean> {
    return this.#ask('/api/environment', {}).then(isRefusal, () => false);
  }

  async #ask(path: string, init: RequestInit, progress?: TransferProgress): Promise<Response> {
    const headers = { ...init.headers, [TOKEN_HEADER]: this.#token };
    try {
      return await this.#fetch(path, { ...init, headers, cache: 'no-store' }, progress);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ConnectionError({
        code: 'proxy-unreachable',
        message: 'mcp-inspect is not responding.',
        advice: 'Check that it still runs in its terminal.',
      });
    }
  }
}

/** Returns the response again, and calls back as its body is read. */
function countRead(response: Response, onRead: (progress: ReadingProgress) => void): Response {
  const of = readCount(response.headers.get('content-length')) ?? 0;
  let done = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      done += chunk.length;
      onRead({ done, of });
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counted));
}

/** A line of the answer to an import. */
type ImportLine = Partial<RecordingImportedReply & RecordingConvertedLine & Failure>;

/** Returns the last whole line of what has arrived, as JSON. */
function lastLine(text: string): ImportLine | undefined {
  try {
    return JSON.parse(
      text
        .slice(0, text.lastIndexOf('}') + 1)
        .split('\n')
        .at(-1)!,
    ) as ImportLine;
  } catch {
    return undefined;
  }
}

async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    throw new ConnectionError(unexpected(response));
  }
}

function unexpected({ status }: Response): Failure {
  return {
    code: 'proxy-error',
    message: `mcp-inspect responded with status ${status} instead of data.`,
    advice: 'Reload the page. If that does not help, restart mcp-inspect.',
  };
}

function isRefusal(response: Response): boolean {
  return response.status === 401 || response.status === 403;
}
