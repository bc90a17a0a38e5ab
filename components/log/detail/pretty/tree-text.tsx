import { Fragment } from 'react';
import { RepeatedMark } from '@/components/ui/badge';
import { visibleText } from '@/components/ui/visible-text';
import { shortenText } from '@/components/untrusted/untrusted-text';
import type { JsonOutline } from '@/lib/json/outline';
import { formatBytes, formatCount } from '@/lib/wire/format';
import type { FieldMark } from '../use-outline';
import { imageTypeOf } from './string-content';
import type { TreeRow } from './tree-model';

/** Most characters of a name to render. */
const MAX_NAME_CHARACTERS = 300;

const SQUIGGLE = {
  error: 'underline decoration-error decoration-wavy underline-offset-2',
  warn: 'underline decoration-warn decoration-wavy underline-offset-2',
} as const;

/** A value's name or index, underlined if the value has a problem. */
export function TreeName({
  row: { document, node, siblingIndex },
  mark,
  query,
}: {
  readonly row: TreeRow;
  readonly mark: FieldMark | undefined;
  readonly query: string;
}) {
  const { outline, host } = document;
  if (node === 0 && host === undefined) return null;
  if (node === 0) return <span className="text-muted">JSON in the string: </span>;
  const name = outline.shortName(node) ?? String(siblingIndex);
  return (
    <>
      <span
        className={`text-notify ${mark ? SQUIGGLE[mark.severe ? 'error' : 'warn'] : ''}`}
        title={mark && visibleText(mark.text)}
      >
        <MarkedText text={visibleText(name.slice(0, MAX_NAME_CHARACTERS))} query={query} />
      </span>
      {mark && <span className="sr-only"> (problem: {visibleText(mark.text)})</span>}
      {isRepeatedName(outline, node) && <RepeatedMark />}
      <span className="text-muted">: </span>
    </>
  );
}

/** Most characters of a number to render. */
const MAX_DIGITS = 1000;

/** A value on its line: scalars as written, strings cut, objects and arrays as a preview. */
export function TreeValue({
  row: { document, node },
  open,
  query,
  characters,
}: {
  readonly row: TreeRow;
  readonly open: boolean;
  readonly query: string;
  /** At least as many characters as fit on the line. */
  readonly characters: number;
}) {
  const { outline } = document;
  const kind = outline.kind(node);
  if (outline.isBranch(node)) {
    const brackets = kind === 'array' ? '[' : '{';
    return <span className="text-muted">{open ? brackets : visibleText(outlinePreview(outline, node))}</span>;
  }
  if (kind !== 'string') {
    return (
      <span className={kind === 'null' ? 'text-muted' : 'text-warn'}>
        <MarkedText text={shortenText(outline.text(node), MAX_DIGITS)} query={query} />
      </span>
    );
  }
  const { text, whole } = outline.stringStart(node);
  const bytes = outline.end(node) - outline.start(node);
  const image = imageTypeOf(outline, node);
  const cut = shortenText(text, image === undefined ? Math.max(40, characters) : 24);
  const rest = !whole || cut.length < text.length;
  const quoted = visibleText(JSON.stringify(cut));
  return (
    <span className="text-ok">
      <MarkedText text={rest ? `${quoted.slice(0, -1)}…` : quoted} query={query} />
      {image !== undefined && <span className="text-muted"> {visibleText(image)}, base64</span>}
      {rest && <span className="text-muted"> {formatBytes(bytes)}</span>}
    </span>
  );
}

/** Most occurrences to highlight in one line. */
const MAX_MARKS = 25;

/** Text with the occurrences of `query` highlighted, ignoring case. */
function MarkedText({ text, query }: { readonly text: string; readonly query: string }) {
  const found = occurrences(text, query, MAX_MARKS);
  const marked = found.map(([from, to], index) => (
    <Fragment key={from}>
      {text.slice(found[index - 1]?.[1] ?? 0, from)}
      <mark className="rounded-sm bg-warn/30 text-text">{text.slice(from, to)}</mark>
    </Fragment>
  ));
  return [...marked, text.slice(found.at(-1)?.[1] ?? 0)];
}

/** Returns the first `most` occurrences of `query` in a text as [from, to), ignoring case. */
export function occurrences(text: string, query: string, most: number): readonly (readonly [number, number])[] {
  const wanted = query.toLowerCase();
  const lower = text.toLowerCase();
  // Lower case changes the length of some letters, so offsets would be wrong.
  if (wanted === '' || lower.length !== text.length) return [];
  const found: [number, number][] = [];
  for (let at = lower.indexOf(wanted); at >= 0 && found.length < most; at = lower.indexOf(wanted, at + wanted.length)) {
    found.push([at, at + wanted.length]);
  }
  return found;
}

/** Most members to preview, and characters of each value. */
const PREVIEW_MEMBERS = 5;
const PREVIEW_CHARACTERS = 40;

/** Returns a one-line preview of a closed value: the length of an array, or the first members of an object. */
export function outlinePreview(outline: JsonOutline, node: number): string {
  const count = outline.childCount(node);
  if (outline.kind(node) === 'array') return count === 0 ? '[]' : `[ ${formatCount(count)} ]`;
  const members: string[] = [];
  for (const child of outline.children(node)) {
    if (members.length === PREVIEW_MEMBERS) break;
    members.push(`${outline.shortName(child)?.slice(0, PREVIEW_CHARACTERS)}: ${brief(outline, child)}`);
  }
  if (count === 0) return '{}';
  return `{ ${members.join(', ')}${count > members.length ? `, … ${formatCount(count)} members` : ''} }`;
}

function brief(outline: JsonOutline, node: number): string {
  const kind = outline.kind(node);
  if (kind === 'array') return outline.childCount(node) > 0 ? '[…]' : '[]';
  if (kind === 'object') return outline.childCount(node) > 0 ? '{…}' : '{}';
  if (kind !== 'string') return outline.text(node).slice(0, PREVIEW_CHARACTERS);
  const { text } = outline.stringStart(node);
  return text.length > PREVIEW_CHARACTERS
    ? `${JSON.stringify(text.slice(0, PREVIEW_CHARACTERS)).slice(0, -1)}…"`
    : JSON.stringify(text);
}

/** Most members of an object to check for duplicate names. */
const MAX_CHECKED_MEMBERS = 2000;
/** Longest name to compare, in bytes. */
const MAX_NAME_BYTES = 200;

/** Duplicate members by object node, so that each object is checked once. */
const known = new WeakMap<JsonOutline, Map<number, ReadonlySet<number>>>();

/** Returns true if an earlier member of the object has the same name. */
export function isRepeatedName(outline: JsonOutline, node: number): boolean {
  const parent = outline.parent(node);
  if (parent === undefined || outline.nameStart(node) === undefined || outline.childCount(parent) > MAX_CHECKED_MEMBERS)
    return false;
  const objects = known.get(outline) ?? new Map<number, ReadonlySet<number>>();
  known.set(outline, objects);
  const repeated = objects.get(parent) ?? repeatedIn(outline, parent);
  objects.set(parent, repeated);
  return repeated.has(node);
}

function repeatedIn(outline: JsonOutline, object: number): ReadonlySet<number> {
  const names = new Set<string | undefined>();
  const repeated = new Set<number>();
  for (const member of outline.children(object)) {
    if (outline.nameEnd(member) - outline.nameStart(member)! > MAX_NAME_BYTES) continue;
    const name = outline.name(member);
    if (names.has(name)) repeated.add(member);
    names.add(name);
  }
  return repeated;
}
