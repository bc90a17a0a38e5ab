import { pathOf, pathWords } from '@/lib/store/outline-path';
import type { TreePlace } from './tree-document';

/** A value as it is copied: a string without quotes and escapes, anything else as it was written. */
export function valueText({ document: { outline }, node }: TreePlace): string {
  return outline.string(node);
}

/** The place of a value in its message: `result.content[0].text`; of JSON in a string with what leads to the string. */
export function placePath({ document: { outline, host }, node }: TreePlace): string {
  const path = pathWords(pathOf(outline, node));
  return host ? `${placePath(host)} → ${path}` : path;
}

/** A browser that refuses leaves the clipboard as it is. */
export function copy(text: string): void {
  void navigator.clipboard.writeText(text).catch(() => {});
}
