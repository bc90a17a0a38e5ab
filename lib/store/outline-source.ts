import { type JsonChild, type JsonChildren, type JsonKind, JsonSource } from '@/lib/wire/json-source';
import type { JsonOutline } from './json-outline';
import { lazyValue } from './lazy-value';
import { nameTest } from './outline-path';

/** Bytes that one UTF-16 unit takes at most. */
const UNIT_BYTES = 3;
/** The same where it may be an escape. */
const ESCAPE_BYTES = 6;

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** A value of a large frame: read where it lies in the bytes, and decoded or made a value of as far as it is asked for. */
export class OutlineSource extends JsonSource {
  readonly #outline: JsonOutline;
  readonly #node: number;
  #made: { readonly value: unknown } | undefined;

  /** The root, or the value with another number. */
  constructor(outline: JsonOutline, node = 0) {
    super();
    this.#outline = outline;
    this.#node = node;
  }

  get kind(): JsonKind {
    return this.#outline.kind(this.#node);
  }

  get text(): string {
    return this.#outline.text(this.#node);
  }

  textStart(length: number): string {
    const start = this.#outline.start(this.#node);
    const end = Math.min(this.#outline.end(this.#node), start + UNIT_BYTES * length);
    return lossy.decode(this.#outline.bytes.subarray(start, end)).slice(0, length);
  }

  stringStart(length: number): string {
    return this.#outline.stringStart(this.#node, ESCAPE_BYTES * length).text.slice(0, length);
  }

  get length(): number {
    return this.#outline.end(this.#node) - this.#outline.start(this.#node);
  }

  get value(): unknown {
    this.#made ??= { value: lazyValue(this.#outline, this.#node) };
    return this.#made.value;
  }

  protected findMember(name: string): JsonSource | undefined {
    if (this.kind !== 'object') return undefined;
    const isNamed = nameTest(this.#outline, name);
    let found: number | undefined;
    for (const child of this.#outline.children(this.#node)) if (isNamed(child)) found = child;
    return found === undefined ? undefined : new OutlineSource(this.#outline, found);
  }

  protected listChildren(limit: number, except: readonly string[]): JsonChildren {
    const outline = this.#outline;
    const unwanted = this.kind === 'object' ? except.map((name) => nameTest(outline, name)) : [];
    const children: JsonChild[] = [];
    let left = 0;
    for (const child of outline.children(this.#node)) {
      if (unwanted.length === 0 && children.length === limit) break;
      if (unwanted.some((isNamed) => isNamed(child))) left++;
      else if (children.length < limit) {
        children.push({ name: outline.name(child), source: new OutlineSource(outline, child) });
      }
    }
    return { count: outline.childCount(this.#node) - left, children };
  }
}
