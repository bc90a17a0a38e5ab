import { isObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import {
  applyCallChange,
  type CallChange,
  type CallsReply,
  type KeptCalls,
  NO_CALLS,
  readKeptCalls,
} from '@/lib/wire/saved-calls';
import { SharedFile } from '@/proxy/files/shared-file';

export const CALLS_FILE_BYTES = 4 * 1024 * 1024;
export const CALL_TOOLS = 2000;

const VERSION = 1;

/** Content of the file, with the last changed tool last. A Map, because servers choose the names. */
interface Content {
  readonly remembers: boolean;
  readonly tools: ReadonlyMap<string, KeptCalls>;
}

interface Options {
  /** Folder of recordings. The file is beside it. */
  readonly folder: string;
  /** False to remember no sent arguments. Saving by name still works. */
  readonly remembers?: boolean;
  /** Removes secrets from a text. */
  redact(text: string): string;
}

/**
 * Saved calls and recent arguments, in one file of the data folder that every mcp-inspect of this user shares. Each
 * change reads the file, changes one tool and writes the whole file, under a lock.
 */
export class SavedCallsFile {
  readonly #options: Options;
  readonly #file: SharedFile;

  constructor(options: Options) {
    this.#options = options;
    this.#file = new SharedFile({
      folder: options.folder,
      name: 'calls.json',
      code: 'calls',
      what: 'saved calls',
      mostBytes: 2 * CALLS_FILE_BYTES,
    });
  }

  /** Returns the calls of a key, which names a server and a tool. Rejects with ConnectionError `calls-unreadable`. */
  async read(key: string): Promise<CallsReply> {
    return this.#replyOf(this.#content(await this.#file.read()), key);
  }

  /** Applies a change and returns the calls after it. Rejects with a ConnectionError if nothing was changed. */
  async change(key: string, change: CallChange): Promise<CallsReply> {
    if (change.kind === 'remember' && this.#options.remembers === false) return this.read(key);
    const { redact } = this.#options;
    return this.#file.change((file) => {
      const content = this.#content(file);
      const before = this.#replyOf(content, key);
      const after = applyCallChange(before, 'text' in change ? { ...change, text: redact(change.text) } : change);
      if (after.saved.length > LIMITS.savedCalls) throw new ConnectionError(TOO_MANY);
      const tools = new Map(content.tools);
      tools.delete(key);
      if (after.saved.length + after.recent.length > 0) tools.set(key, { saved: after.saved, recent: after.recent });
      const trimmed = withinBounds({ remembers: after.remembers, tools });
      if (!trimmed) throw new ConnectionError(TOO_MANY);
      return { content: trimmed, result: after };
    });
  }

  #replyOf({ remembers, tools }: Content, key: string): CallsReply {
    const kept = tools.get(key) ?? NO_CALLS;
    return {
      saved: kept.saved,
      recent: kept.recent,
      remembers,
      ...(this.#options.remembers === false && { off: true }),
    };
  }

  /** Reads the content of the file. Invalid content is an error, so that it is never overwritten. */
  #content(file: unknown): Content {
    if (file === undefined) return { remembers: true, tools: new Map() };
    const tools = isObject(file) && own(file, 'version') === VERSION ? own(file, 'tools') : undefined;
    if (!isObject(file) || !Array.isArray(tools)) throw this.#file.refusal(file, VERSION);
    return {
      remembers: own(file, 'remembers') !== false,
      tools: new Map(tools.flatMap((tool) => (isTool(tool) ? [[tool.key, readKeptCalls(tool)] as const] : []))),
    };
  }
}

function isTool(value: unknown): value is { readonly key: string } {
  const key = isObject(value) ? own(value, 'key') : undefined;
  return typeof key === 'string' && key.length <= LIMITS.callKeyChars;
}

/**
 * Returns the content to write. Drops recent arguments of the least recently used tools if needed; undefined if too
 * large.
 */
function withinBounds({ remembers, tools }: Content): object | undefined {
  const all = Array.from(tools, ([key, calls]) => ({ key, ...calls }));
  let bytes = all.reduce((sum, tool) => sum + bytesOf(tool), 0);
  let count = all.length;
  const fits = () => bytes <= CALLS_FILE_BYTES && count <= CALL_TOOLS;
  const left = all.flatMap((tool) => {
    if (fits()) return [tool];
    bytes -= bytesOf(tool);
    count--;
    if (tool.saved.length === 0) return [];
    const rest = { ...tool, recent: [] };
    bytes += bytesOf(rest);
    count++;
    return [rest];
  });
  return fits() ? { version: VERSION, remembers, tools: left } : undefined;
}

function bytesOf(tool: object): number {
  return Buffer.byteLength(JSON.stringify(tool)) + 1;
}

const TOO_MANY: Failure = {
  code: 'calls-full',
  message: 'Could not save: there is no room for more saved calls.',
  advice: 'Remove some, or export them to a file first.',
};
