import { isRecord } from '@/lib/json/edit';
import { parseExactJson } from '@/lib/json/exact';
import { BOM_BYTES, parseBounded, startsWithBom } from '@/lib/json/parse';
import { BYTE, skipSpace, visitChildren } from '@/lib/json/scan';
import { isObject } from '@/lib/json/value';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { mergePatch } from './merge-patch';
import { type OverlayFile, readOverlay, type ToolChange } from './overlay-file';

/** A frame that an overlay changes. */
export interface OverlaidFrame {
  /** The frame as its receiver gets it; undefined if nothing is left of it. */
  readonly bytes: Uint8Array | undefined;
  /** Answers to calls of hidden tools: one frame. The server does not get these calls. */
  readonly answers?: Uint8Array;
}

/** The place of a value in a frame, in bytes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A change of a frame: `by` in place of the bytes from `start` to `end`. */
interface Splice extends Span {
  readonly by: string;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const UNCHANGED: readonly Splice[] = [];

/**
 * Changes the definitions of tools on their way to a host, and the names of tools on their way to the server. It keeps
 * no state, so pages of a list, sessions and both eras are alike: a name means the same tool at any time. A message
 * without a changed tool is left alone, and everything else in a changed one stays as it is, to the byte.
 */
export class Overlay {
  /** The overlay file. */
  readonly text: string;
  readonly file: OverlayFile;
  /** By new name: the server's name. */
  readonly #renamed = new Map<string, string>();

  /** Reads an overlay file. Throws OverlayError. */
  constructor(text: string) {
    this.text = text;
    this.file = readOverlay(text);
    for (const [tool, { name, hidden }] of Object.entries(this.file.tools)) {
      if (name !== undefined && name !== tool && !hidden) this.#renamed.set(name, tool);
    }
  }

  /** True if it changes nothing. Such an overlay still takes the place of another one. */
  get isEmpty(): boolean {
    return Object.keys(this.file.tools).length === 0;
  }

  #changeOf(tool: string): ToolChange | undefined {
    return Object.hasOwn(this.file.tools, tool) ? this.file.tools[tool] : undefined;
  }

  /**
   * Returns the host's name of a tool; undefined if the host does not see it. A new name belongs to the tool that was
   * given it. The server's own tool of that name is hidden, whether or not it has been listed.
   */
  hostName(tool: string): string | undefined {
    const change = this.#changeOf(tool);
    if (change?.hidden) return undefined;
    if (change?.name !== undefined) return change.name;
    return this.#renamed.has(tool) ? undefined : tool;
  }

  /**
   * Returns the server's name of a tool that a host names; undefined if the tool is hidden. The old name of a renamed
   * tool still means it, unless another tool has got that name: a host may have cached the list, and the apps of a
   * server call its tools by the names that they know.
   */
  serverName(name: string): string | undefined {
    const renamed = this.#renamed.get(name);
    if (renamed !== undefined) return renamed;
    return this.#changeOf(name)?.hidden ? undefined : name;
  }

  /** Changes the definition of a tool as the server wrote it; undefined if the host does not see the tool. */
  definition(tool: string, text: string): string | undefined {
    return this.hostName(tool) === undefined ? undefined : this.changed(tool, text);
  }

  /** Changes the definition of a tool, even if it is hidden. */
  changed(tool: string, text: string): string {
    const change = this.#changeOf(tool);
    const value = change && parseExactJson(text);
    if (!isRecord(value)) return text;
    const { hidden, ...patch } = change!;
    return mergePatch({ text, value }, patch).text;
  }

  /**
   * Changes the responses to `tools/list` in a frame, each of them one page. `isList` tells by the id if a response is
   * one. Returns undefined for a frame that stays as it is.
   */
  toClient(bytes: Uint8Array, isList: (id: unknown) => boolean): OverlaidFrame | undefined {
    const splices = editMessages(bytes, (message) =>
      isList(jsonAt(bytes, memberOf(bytes, message, 'id'))) ? this.#listSplices(bytes, message) : UNCHANGED,
    );
    return splices.length === 0 ? undefined : { bytes: spliced(bytes, splices) };
  }

  #listSplices(bytes: Uint8Array, message: Span): readonly Splice[] {
    const tools = memberOf(bytes, memberOf(bytes, message, 'result'), 'tools');
    if (!tools || bytes[tools.start] !== BYTE.openArray) return UNCHANGED;
    return editItems(childrenOf(bytes, tools.start), (item) => {
      const name = textAt(bytes, memberOf(bytes, item, 'name'));
      if (name === undefined || !this.#touches(name)) return UNCHANGED;
      // Invalid UTF-8 in a changed tool is replaced, as its reader would do.
      const text = decoded(bytes, item);
      const shown = this.definition(name, text);
      if (shown === undefined) return undefined;
      return shown === text ? UNCHANGED : [{ ...item, by: shown }];
    });
  }

  #touches(tool: string): boolean {
    return Object.hasOwn(this.file.tools, tool) || this.#renamed.has(tool);
  }

  /**
   * Changes the names of tools in the calls of a frame. Calls of hidden tools are left out and answered. Returns
   * undefined for a frame that stays as it is.
   */
  toServer(bytes: Uint8Array): OverlaidFrame | undefined {
    const answers: string[] = [];
    let left = 0;
    const splices = editMessages(bytes, (message) => {
      left++;
      if (textAt(bytes, memberOf(bytes, message, 'method')) !== 'tools/call') return UNCHANGED;
      const place = memberOf(bytes, memberOf(bytes, message, 'params'), 'name');
      const name = textAt(bytes, place);
      const tool = name === undefined ? undefined : this.serverName(name);
      if (place === undefined || name === undefined || tool === name) return UNCHANGED;
      if (tool !== undefined) return [{ ...place, by: JSON.stringify(tool) }];
      const id = memberOf(bytes, message, 'id');
      if (!id) return UNCHANGED;
      left--;
      answers.push(unknownTool(decoded(bytes, id), name));
      return undefined;
    });
    if (splices.length === 0) return undefined;
    const isBatch = bytes[startOf(bytes)] === BYTE.openArray;
    return {
      bytes: left === 0 ? undefined : spliced(bytes, splices),
      ...(answers.length > 0 && { answers: encoder.encode(isBatch ? `[${answers.join()}]` : answers[0]) }),
    };
  }
}

/** Returns the error with which a server answers a call of a tool that it does not have. `id` is JSON text. */
function unknownTool(id: string, tool: string): string {
  const message = JSON.stringify(`Unknown tool: ${tool}`);
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${RPC_CODE.invalidParams},"message":${message}}}`;
}

/** Returns the changes of an item of a list, or undefined to leave it out. */
type EditItem = (item: Span) => readonly Splice[] | undefined;

/** Edits the message of a frame, or the messages of a batch. Scanning needs valid JSON, so other frames stay. */
function editMessages(bytes: Uint8Array, edit: EditItem): readonly Splice[] {
  let value: unknown;
  try {
    value = parseBounded(decoder.decode(bytes));
  } catch {
    return UNCHANGED;
  }
  const whole = { start: startOf(bytes), end: bytes.length };
  if (Array.isArray(value)) return editItems(childrenOf(bytes, whole.start), edit);
  return isObject(value) ? editItems([whole], edit) : UNCHANGED;
}

/** Leaves out items with the comma before them, or after them while none is left before. */
function editItems(items: readonly Span[], edit: EditItem): readonly Splice[] {
  const splices: Splice[] = [];
  let kept = 0;
  for (const [index, item] of items.entries()) {
    const changes = edit(item);
    if (changes) {
      kept++;
      splices.push(...changes);
    } else if (kept > 0) splices.push({ start: items[index - 1]!.end, end: item.end, by: '' });
    else splices.push({ start: item.start, end: items[index + 1]?.start ?? item.end, by: '' });
  }
  return splices;
}

/** Applies changes, which are in the order of the bytes. */
function spliced(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  let copied = 0;
  const parts = splices.flatMap(({ start, end, by }) => {
    const before = bytes.subarray(copied, start);
    copied = end;
    return [before, encoder.encode(by)];
  });
  return joined([...parts, bytes.subarray(copied)]);
}

function startOf(bytes: Uint8Array): number {
  return skipSpace(bytes, startsWithBom(bytes) ? BOM_BYTES : 0);
}

/** Returns the place of a member's value. The last of repeated names wins, as in parsers. */
function memberOf(bytes: Uint8Array, object: Span | undefined, name: string): Span | undefined {
  if (!object || bytes[object.start] !== BYTE.openObject) return undefined;
  let found: Span | undefined;
  visitChildren(bytes, object.start, (start, end, nameStart, nameEnd) => {
    if (textAt(bytes, { start: nameStart, end: nameEnd }) === name) found = { start, end };
  });
  return found;
}

/** Returns the string at a place; undefined if another value is there. */
function textAt(bytes: Uint8Array, place: Span | undefined): string | undefined {
  if (!place || bytes[place.start] !== BYTE.quote) return undefined;
  return JSON.parse(decoded(bytes, place)) as string;
}

function jsonAt(bytes: Uint8Array, place: Span | undefined): unknown {
  return place && JSON.parse(decoded(bytes, place));
}

function decoded(bytes: Uint8Array, { start, end }: Span): string {
  return decoder.decode(bytes.subarray(start, end));
}

function childrenOf(bytes: Uint8Array, start: number): readonly Span[] {
  const spans: Span[] = [];
  visitChildren(bytes, start, (start, end) => spans.push({ start, end }));
  return spans;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
