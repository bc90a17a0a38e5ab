import { parseJson, stringifyJson, tryParseJson } from '@/lib/schema/json';
import { isObject, own } from '@/lib/wire/message';
import { hasSecrets, withoutSecrets } from './secrets';

/** What is used of a Storage; every call may throw. */
export type CallStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Arguments under a name. */
export interface SavedCall {
  readonly name: string;
  /** JSON text as it was; blank for none. */
  readonly text: string;
}

/** What is kept of one tool of one server. */
export interface KeptCalls {
  readonly saved: readonly SavedCall[];
  /** Newest first. */
  readonly recent: readonly string[];
}

/** Argument sets remembered of a tool. */
const MOST_RECENT = 20;
/** Longer ones, files mostly, are not remembered: storage holds a few megabytes for all. */
const LONGEST_KEPT = 50_000;

const PREFIX = 'calls:';
const OFF = 'calls-off';
const NOTHING: KeptCalls = { saved: [], recent: [] };

/** Arguments that were sent or saved, by server and tool, on this machine only. Values whose names look secret are left out. */
export class SavedCalls {
  readonly #storage: () => CallStorage;
  /** What was read last, with the text it was read from: another tab may have written since. */
  readonly #known = new Map<string, { readonly text: string | undefined; readonly kept: KeptCalls }>();
  readonly #listeners = new Set<() => void>();

  /** `storage` is asked at each use, since even getting it may throw. */
  constructor(storage: () => CallStorage) {
    this.#storage = storage;
  }

  /** True unless the user switched remembering off. */
  get remembers(): boolean {
    return this.#read(OFF) === undefined;
  }

  /** Switches remembering on or off. Off, what was remembered so far stays until it is forgotten. */
  setRemembers(remembers: boolean): void {
    this.#write(OFF, remembers ? undefined : 'off');
    this.#tell();
  }

  /** `key` names a server and a tool. The same object until something changes. */
  of(key: string): KeptCalls {
    const text = this.#read(PREFIX + key);
    const known = this.#known.get(key);
    if (known !== undefined && known.text === text) return known.kept;
    const kept = toKept(text);
    this.#known.set(key, { text, kept });
    return kept;
  }

  /** Notes arguments that were sent; those that were sent before move to the front. */
  remember(key: string, text: string): void {
    const clean = cleaned(text);
    if (!this.remembers || clean === undefined) return;
    const { recent } = this.of(key);
    this.#keep(key, { recent: [clean, ...recent.filter((other) => other !== clean)].slice(0, MOST_RECENT) });
  }

  /** Saves arguments under a name, instead of what had it. False if they are too long, or no JSON, and are not saved. */
  save(key: string, name: string, text: string): boolean {
    const clean = cleaned(text);
    if (clean === undefined) return false;
    const others = this.of(key).saved.filter((call) => call.name !== name);
    this.#keep(key, { saved: [...others, { name, text: clean }] });
    return true;
  }

  remove(key: string, name: string): void {
    this.#keep(key, { saved: this.of(key).saved.filter((call) => call.name !== name) });
  }

  forget(key: string): void {
    this.#keep(key, { recent: [] });
  }

  /** The saved calls of a tool as a file: names and arguments. */
  exported(key: string): string {
    const calls = this.of(key).saved.map(({ name, text }) => ({
      name,
      arguments: text.trim() === '' ? undefined : parseJson(text),
    }));
    return stringifyJson({ format: 'mcp-inspect calls', version: 1, calls }, 2);
  }

  /** Adds the calls of such a file. How many were saved; undefined if it is no such file. */
  import(key: string, file: string): number | undefined {
    const parsed = tryParseJson(file);
    const calls = parsed.ok && isObject(parsed.value) ? own(parsed.value, 'calls') : undefined;
    if (!Array.isArray(calls)) return undefined;
    let count = 0;
    for (const call of calls) {
      const name = isObject(call) ? own(call, 'name') : undefined;
      if (!isObject(call) || typeof name !== 'string') continue;
      const text = Object.hasOwn(call, 'arguments') ? stringifyJson(call.arguments, 2) : '';
      if (this.save(key, name.slice(0, 200), text)) count += 1;
    }
    return count;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #keep(key: string, change: Partial<KeptCalls>): void {
    const kept = { ...this.of(key), ...change };
    this.#write(PREFIX + key, kept.saved.length + kept.recent.length === 0 ? undefined : JSON.stringify(kept));
    // Where it could not be written, it stays in memory until somebody else writes.
    this.#known.set(key, { text: this.#read(PREFIX + key), kept });
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #read(key: string): string | undefined {
    try {
      return this.#storage().getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  }

  #write(key: string, text: string | undefined): void {
    try {
      if (text === undefined) this.#storage().removeItem(key);
      else this.#storage().setItem(key, text);
    } catch {
      // It stays in memory.
    }
  }
}

/** The text without secrets: as it is if it has none. Undefined for what is not kept. */
function cleaned(text: string): string | undefined {
  if (text.length > LONGEST_KEPT) return undefined;
  if (text.trim() === '') return '';
  const parsed = tryParseJson(text);
  if (!parsed.ok) return undefined;
  return hasSecrets(text, true) ? stringifyJson(withoutSecrets(parsed.value), 2) : text;
}

function toKept(text: string | undefined): KeptCalls {
  if (text === undefined) return NOTHING;
  const parsed = tryParseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return NOTHING;
  const saved = own(parsed.value, 'saved');
  const recent = own(parsed.value, 'recent');
  return {
    saved: Array.isArray(saved) ? saved.filter(isSaved) : [],
    recent: Array.isArray(recent) ? recent.filter((each) => typeof each === 'string') : [],
  };
}

function isSaved(value: unknown): value is SavedCall {
  return isObject(value) && typeof own(value, 'name') === 'string' && typeof own(value, 'text') === 'string';
}
