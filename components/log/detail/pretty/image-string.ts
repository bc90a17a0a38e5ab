import type { JsonOutline } from '@/lib/store/json-outline';

/** The shortest text that is taken for a picture: no format has a smaller one. */
const LEAST_BYTES = 32;

const NAMES = ['data', 'blob'].map(bytesOf);
const DATA_URI = bytesOf('data:image/');

/** The type that a string of base64 is sent as, if it is a picture's: `data` or `blob` beside a `mimeType`, or a `data:` URI. */
export function imageType(outline: JsonOutline, node: number): string | undefined {
  const start = outline.start(node);
  if (outline.end(node) - start < LEAST_BYTES || outline.kind(node) !== 'string') return undefined;
  if (stands(outline.bytes, start + 1, DATA_URI))
    return /^data:(image\/[\w.+-]+);base64,/.exec(head(outline, node))?.[1];
  const name = outline.nameStart(node);
  const parent = outline.parent(node);
  if (name === undefined || parent === undefined) return undefined;
  if (!NAMES.some((letters) => stands(outline.bytes, name + 1, letters))) return undefined;
  for (const sibling of outline.children(parent)) {
    if (outline.name(sibling) !== 'mimeType') continue;
    const type = outline.stringStart(sibling).text;
    return type.startsWith('image/') ? type : undefined;
  }
  return undefined;
}

/** The base64 of a picture's string. */
export function imageData(outline: JsonOutline, node: number): string {
  const text = outline.string(node);
  return text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
}

function head(outline: JsonOutline, node: number): string {
  return outline.stringStart(node).text.slice(0, 100);
}

function stands(bytes: Uint8Array, at: number, letters: Uint8Array): boolean {
  return letters.every((letter, index) => bytes[at + index] === letter);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
