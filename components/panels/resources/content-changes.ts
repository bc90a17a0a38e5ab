import { decodeBase64 } from '@/components/untrusted/image-bytes';
import { isObject, type JsonObject, own } from '@/lib/json/value';

/** How one item of a resource's `contents` differs from the read before. */
export type ContentChange =
  | { readonly kind: 'added' | 'removed' | 'same'; readonly uri: string }
  | {
      readonly kind: 'text';
      readonly uri: string;
      readonly before: string;
      readonly after: string;
      /** Lines that only one of the texts has. */
      readonly linesAdded: number;
      readonly linesRemoved: number;
    }
  | {
      readonly kind: 'binary';
      readonly uri: string;
      /** Sizes in bytes; undefined if the data is not base64. */
      readonly before: number | undefined;
      readonly after: number | undefined;
    }
  /** Text that became binary, or the other way round, or an item with neither. */
  | { readonly kind: 'other'; readonly uri: string };

/**
 * Compares the `contents` of two results of `resources/read`. Items are paired by URI, and those of one URI in their
 * order.
 */
export function contentChanges(before: unknown, after: unknown): readonly ContentChange[] {
  const left = itemsOf(before);
  const changes = itemsOf(after).map((item): ContentChange => {
    const uri = uriOf(item);
    const at = left.findIndex((old) => uriOf(old) === uri);
    if (at < 0) return { kind: 'added', uri };
    return itemChange(uri, left.splice(at, 1)[0]!, item);
  });
  return [...changes, ...left.map((item): ContentChange => ({ kind: 'removed', uri: uriOf(item) }))];
}

function itemChange(uri: string, before: JsonObject, after: JsonObject): ContentChange {
  const [text, newText] = [own(before, 'text'), own(after, 'text')];
  if (typeof text === 'string' && typeof newText === 'string') {
    if (text === newText) return { kind: 'same', uri };
    return { kind: 'text', uri, before: text, after: newText, ...lineCounts(text, newText) };
  }
  const [blob, newBlob] = [own(before, 'blob'), own(after, 'blob')];
  if (typeof blob === 'string' && typeof newBlob === 'string') {
    if (blob === newBlob) return { kind: 'same', uri };
    return { kind: 'binary', uri, before: decodeBase64(blob)?.length, after: decodeBase64(newBlob)?.length };
  }
  return { kind: 'other', uri };
}

/** Counts the lines that only one text has. Lines that only moved count as equal. */
export function lineCounts(before: string, after: string): { linesAdded: number; linesRemoved: number } {
  const counts = new Map<string, number>();
  for (const line of before.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  let linesAdded = 0;
  for (const line of after.split('\n')) {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    else linesAdded++;
  }
  let linesRemoved = 0;
  for (const count of counts.values()) linesRemoved += count;
  return { linesAdded, linesRemoved };
}

function itemsOf(contents: unknown): JsonObject[] {
  return Array.isArray(contents) ? contents.filter(isObject) : [];
}

function uriOf(item: JsonObject): string {
  const uri = own(item, 'uri');
  return typeof uri === 'string' ? uri : '';
}
