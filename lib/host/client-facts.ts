import type { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { META_KEY, META_PREFIX } from '@/lib/wire/protocol-names';
import { countedName, ownCopy } from './tool-use';

/** Most ways in which a host presents itself in one session. Usually there is one. */
const MOST_IDENTITIES = 10;
/** Longest identity that is read, in characters. Real ones have a few hundred. */
const IDENTITY_CHARS = 64 * 1024;
/** Most keys of `_meta` that are counted. */
const MOST_META_KEYS = 50;
/** Characters kept of a value in `_meta`. */
const META_CHARS = 120;

/** How a host presents itself: in `initialize`, or in `_meta` of each request (2026-07-28). */
export interface HostIdentity {
  /** `clientInfo` as sent; {} if it is not an object. */
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  /** The protocol version that it asked for. */
  readonly version: string | undefined;
  /** seq of the first request that said so. */
  readonly seq: number;
  /** Number of requests that said so. */
  readonly count: number;
}

/** A key in the `_meta` of requests. */
export interface MetaUse {
  readonly key: string;
  readonly count: number;
  /** The first value as JSON, cut. */
  readonly example: string;
}

/** Collects what a host says about itself. */
export class ClientReader {
  readonly #identities = new Map<string, { -readonly [K in keyof HostIdentity]: HostIdentity[K] }>();
  readonly #meta = new Map<string, { count: number; readonly example: string }>();
  #requests = 0;

  /** Adds a request of the host. */
  addRequest(seq: number, method: string, params: JsonSource | undefined): void {
    this.#requests++;
    const meta = params?.member('_meta');
    if (meta?.kind === 'object') this.#addMeta(meta);
    if (method === 'initialize' && params) {
      this.#addIdentity(seq, params, ['clientInfo', 'capabilities', 'protocolVersion']);
    } else if (meta?.member(META_KEY.clientInfo)) {
      this.#addIdentity(seq, meta, [META_KEY.clientInfo, META_KEY.clientCapabilities, META_KEY.protocolVersion]);
    }
  }

  #addIdentity(seq: number, source: JsonSource, names: readonly [string, string, string]): void {
    const parts = names.map((name) => source.member(name));
    if (parts.reduce((chars, part) => chars + (part?.length ?? 0), 0) > IDENTITY_CHARS) return;
    const key = JSON.stringify(parts.map((part) => part?.text ?? ''));
    const known = this.#identities.get(key);
    if (known) known.count++;
    if (known || this.#identities.size >= MOST_IDENTITIES) return;
    const [info, capabilities, version] = parts.map((part) => part?.value);
    this.#identities.set(key, {
      info: isObject(info) ? info : {},
      capabilities: isObject(capabilities) ? capabilities : {},
      version: typeof version === 'string' ? version : undefined,
      seq,
      count: 1,
    });
  }

  #addMeta(meta: JsonSource): void {
    for (const { name = '', source } of meta.children(MOST_META_KEYS).children) {
      const key = countedName(name);
      const known = this.#meta.get(key);
      if (known) known.count++;
      else if (this.#meta.size < MOST_META_KEYS)
        this.#meta.set(key, { count: 1, example: ownCopy(source.textStart(META_CHARS)) });
    }
  }

  /** Oldest first. */
  get identities(): readonly HostIdentity[] {
    return [...this.#identities.values()].map((identity) => ({ ...identity }));
  }

  /** Keys of `_meta`, apart from those that present the client. */
  get meta(): readonly MetaUse[] {
    return Array.from(this.#meta, ([key, use]) => ({ key, ...use })).filter(({ key }) => !PRESENTING.has(key));
  }

  /** Number of requests of the host. */
  get requests(): number {
    return this.#requests;
  }
}

const PRESENTING: ReadonlySet<string> = new Set([
  META_KEY.clientInfo,
  META_KEY.clientCapabilities,
  META_KEY.protocolVersion,
]);

/** Most paths of one object. Capabilities of real clients have fewer than 30. */
const MOST_PATHS = 200;
/** Deepest member that has a path of its own. Deeper ones are shown as JSON. */
const DEEPEST = 6;

/** Returns the values in nested objects by their paths: `roots.listChanged` → `true`. An empty object is `{}`. */
export function leafPaths(object: JsonObject): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const walk = (value: unknown, path: readonly string[]): void => {
    if (paths.size >= MOST_PATHS) return;
    const keys = isObject(value) && path.length < DEEPEST ? Object.keys(value) : [];
    for (const key of keys) walk(own(value as JsonObject, key), [...path, key]);
    if (keys.length > 0 || path.length === 0) return;
    paths.set(path.map(shortKey).join('.'), (JSON.stringify(value) ?? '').slice(0, META_CHARS));
  };
  walk(object, []);
  return paths;
}

/** Names of extensions have a long start in common. */
function shortKey(key: string): string {
  return countedName(key.startsWith(META_PREFIX) ? key.slice(META_PREFIX.length) : key);
}
