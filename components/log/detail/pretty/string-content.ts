import { type JsonOutline, type OutlineFailure, readOutline } from '@/lib/json/outline';
import { stringBytes } from '@/lib/json/outline-text';

/** Longer strings are read only when asked for; shorter ones are known to be JSON before it is offered. */
const CHECKED_BYTES = 20_000;

/** The outline of the JSON in a string. Yields now and then. */
export function* readEmbedded(outline: JsonOutline, node: number): Generator<unknown, JsonOutline | OutlineFailure> {
  return yield* readOutline(yield* stringBytes(outline, node));
}

/** True for a string that begins and ends as an object or array does, and is one if it is short. */
export function holdsJson(outline: JsonOutline, node: number): boolean {
  if (outline.kind(node) !== 'string' || outline.end(node) - outline.start(node) < 4) return false;
  const { text, whole } = outline.stringStart(node);
  if (!/^\s*[[{]/.test(text)) return false;
  if (outline.end(node) - outline.start(node) > CHECKED_BYTES) return true;
  try {
    JSON.parse(whole ? text : outline.string(node));
    return true;
  } catch {
    return false;
  }
}

/** The shortest text that is taken for a picture: no format has a smaller one. */
const LEAST_BYTES = 32;

/** Members looked at for the type: what has more is a table of something. */
const MOST_MEMBERS = 100;

const NAMES = ['"data"', '"blob"'].map(bytesOf);
const TYPE = bytesOf('"mimeType"');
const DATA_URI = bytesOf('data:image/');

/** The types of pictures, by the object that they are in: each object is gone through once. */
const known = new WeakMap<JsonOutline, Map<number, string | undefined>>();

/** The type that a string of base64 is sent as, if it is a picture's: `data` or `blob` beside a `mimeType`, or a `data:` URI. */
export function imageTypeOf(outline: JsonOutline, node: number): string | undefined {
  const start = outline.start(node);
  if (outline.end(node) - start < LEAST_BYTES || outline.kind(node) !== 'string') return undefined;
  if (stands(outline.bytes, start + 1, DATA_URI))
    return /^data:(image\/[\w.+-]+);base64,/.exec(head(outline, node))?.[1];
  const name = outline.nameStart(node);
  const parent = outline.parent(node);
  if (name === undefined || parent === undefined) return undefined;
  if (!NAMES.some((letters) => stands(outline.bytes, name, letters))) return undefined;
  const types = known.get(outline) ?? new Map<number, string | undefined>();
  known.set(outline, types);
  if (!types.has(parent)) types.set(parent, typeIn(outline, parent));
  return types.get(parent);
}

/** The type that an object names of its picture. */
function typeIn(outline: JsonOutline, object: number): string | undefined {
  if (outline.childCount(object) > MOST_MEMBERS) return undefined;
  for (const member of outline.children(object)) {
    if (!stands(outline.bytes, outline.nameStart(member)!, TYPE)) continue;
    const type = outline.kind(member) === 'string' ? outline.stringStart(member).text : '';
    return type.startsWith('image/') ? type : undefined;
  }
  return undefined;
}

/** The base64 of a picture's string. */
export function imageData(text: string): string {
  return text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
}

function head(outline: JsonOutline, node: number): string {
  return outline.stringStart(node).text.slice(0, 100);
}

function stands(bytes: Uint8Array, at: number, letters: Uint8Array): boolean {
  for (let index = 0; index < letters.length; index++) if (bytes[at + index] !== letters[index]) return false;
  return true;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
