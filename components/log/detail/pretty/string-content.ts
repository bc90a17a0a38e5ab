import { type JsonOutline, type OutlineFailure, readOutline } from '@/lib/json/outline';
import { stringBytes } from '@/lib/json/outline-text';

/** Longest string to parse before offering to show it as JSON, in bytes. Longer ones are offered unparsed. */
const PARSED_BYTES = 20_000;

/** Reads the JSON in a string into an outline. Yields now and then. */
export function* readEmbedded(outline: JsonOutline, node: number): Generator<unknown, JsonOutline | OutlineFailure> {
  return yield* readOutline(yield* stringBytes(outline, node));
}

/** Returns true for a string that starts like a JSON object or array; a short one is also parsed. */
export function holdsJson(outline: JsonOutline, node: number): boolean {
  if (outline.kind(node) !== 'string' || outline.end(node) - outline.start(node) < 4) return false;
  const { text, whole } = outline.stringStart(node);
  if (!/^\s*[[{]/.test(text)) return false;
  if (outline.end(node) - outline.start(node) > PARSED_BYTES) return true;
  try {
    JSON.parse(whole ? text : outline.string(node));
    return true;
  } catch {
    return false;
  }
}

/** Shortest string that can be an image, in bytes. */
const MIN_IMAGE_BYTES = 32;

/** Most members of an object to search for the MIME type. */
const MAX_MEMBERS = 100;

const NAMES = ['"data"', '"blob"'].map(bytesOf);
const TYPE = bytesOf('"mimeType"');
const DATA_URI = bytesOf('data:image/');

/** MIME types by object node, so that each object is searched once. */
const known = new WeakMap<JsonOutline, Map<number, string | undefined>>();

/** Returns the image type of a base64 string: `data` or `blob` next to a `mimeType`, or a `data:` URI. */
export function imageTypeOf(outline: JsonOutline, node: number): string | undefined {
  const start = outline.start(node);
  if (outline.end(node) - start < MIN_IMAGE_BYTES || outline.kind(node) !== 'string') return undefined;
  if (hasBytesAt(outline.bytes, start + 1, DATA_URI))
    return /^data:(image\/[\w.+-]+);base64,/.exec(head(outline, node))?.[1];
  const name = outline.nameStart(node);
  const parent = outline.parent(node);
  if (name === undefined || parent === undefined) return undefined;
  if (!NAMES.some((letters) => hasBytesAt(outline.bytes, name, letters))) return undefined;
  const types = known.get(outline) ?? new Map<number, string | undefined>();
  known.set(outline, types);
  if (!types.has(parent)) types.set(parent, typeIn(outline, parent));
  return types.get(parent);
}

/** Returns an object's `mimeType` if it is an image's. */
function typeIn(outline: JsonOutline, object: number): string | undefined {
  if (outline.childCount(object) > MAX_MEMBERS) return undefined;
  for (const member of outline.children(object)) {
    if (!hasBytesAt(outline.bytes, outline.nameStart(member)!, TYPE)) continue;
    const type = outline.kind(member) === 'string' ? outline.stringStart(member).text : '';
    return type.startsWith('image/') ? type : undefined;
  }
  return undefined;
}

/** Returns the base64 part of an image string. */
export function imageData(text: string): string {
  return text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
}

function head(outline: JsonOutline, node: number): string {
  return outline.stringStart(node).text.slice(0, 100);
}

function hasBytesAt(bytes: Uint8Array, at: number, letters: Uint8Array): boolean {
  for (let index = 0; index < letters.length; index++) if (bytes[at + index] !== letters[index]) return false;
  return true;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
