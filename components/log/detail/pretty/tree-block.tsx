import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ImageBlock } from '@/components/untrusted/binary-content';
import { LongText } from '@/components/untrusted/long-text';
import { TextRuns } from '@/components/untrusted/untrusted-text';
import type { JsonOutline } from '@/lib/json/outline';
import { stringText } from '@/lib/json/outline-text';
import { countOf } from '@/lib/wire/format';
import { runInSlices } from '@/lib/wire/in-slices';
import { imageData, imageTypeOf } from './string-content';
import { INDENT } from './tree-line';
import type { TreeRow } from './tree-model';
import { occurrences } from './tree-text';

/** The block below a string's line: the whole text or the image. */
export function TreeBlock({
  row,
  height,
  query,
}: {
  readonly row: TreeRow;
  readonly height: number;
  /** Text to highlight; the block scrolls to its first occurrence. */
  readonly query: string;
}) {
  const { document, node, depth, kind } = row;
  const { outline } = document;
  const text = useStringText(outline, node);
  const part = useMemo(
    () => (text === undefined || kind === 'image' ? undefined : excerptAround(text, query)),
    [text, kind, query],
  );
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const mark = part && section.current?.querySelector('mark');
    if (mark) section.current!.scrollTop = mark.offsetTop - section.current!.clientHeight / 3;
  }, [part]);
  return (
    <div role="presentation" style={{ height, paddingLeft: depth * INDENT + 16 }} className="pr-3 pb-1.5">
      <section
        ref={section}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        aria-label={kind === 'image' ? 'Image' : 'Whole text'}
        className="relative h-full overflow-auto border-l-2 border-line bg-surface px-2 py-0.5 [&_img]:max-h-44"
      >
        {text === undefined ? (
          <p className="text-muted">Reading…</p>
        ) : kind === 'image' ? (
          <ImageBlock data={imageData(text)} mimeType={imageTypeOf(outline, node)} />
        ) : part ? (
          <ExcerptText text={text} part={part} />
        ) : (
          <LongText text={text} />
        )}
      </section>
    </div>
  );
}

/** An excerpt of a long text around the highlighted occurrences. */
export function ExcerptText({ text, part: { from, to, hits } }: { readonly text: string; readonly part: Excerpt }) {
  const ends = [from, ...hits.map(([, end]) => end)];
  return (
    <>
      {from > 0 && <p className="text-muted">{countOf(from, 'character')} before</p>}
      <pre className="font-mono text-wire break-words whitespace-pre-wrap" dir="auto">
        {ends.map((end, place) => {
          const hit = hits[place];
          return (
            <span key={end}>
              <TextRuns text={text.slice(end, hit?.[0] ?? to)} />
              {hit && (
                <mark className="rounded-sm bg-warn/30 text-text">
                  <TextRuns text={text.slice(...hit)} />
                </mark>
              )}
            </span>
          );
        })}
      </pre>
      {to < text.length && <p className="text-muted">{countOf(text.length - to, 'character')} after</p>}
    </>
  );
}

/** Characters of a long text shown around the first occurrence. */
const EXCERPT_CHARACTERS = 32 * 1024;
/** Characters shown before the first occurrence, unless it is near the start. */
const CHARACTERS_BEFORE = 2000;
/** Most occurrences to highlight. */
const MAX_MARKS = 200;

/** A range of a text, and the occurrences in it. */
export interface Excerpt {
  readonly from: number;
  readonly to: number;
  readonly hits: readonly (readonly [from: number, to: number])[];
}

/** Returns the range around the first occurrence of `query`, ignoring case. undefined if there is none. */
export function excerptAround(text: string, query: string): Excerpt | undefined {
  const found = occurrences(text, query, MAX_MARKS);
  if (!found[0]) return undefined;
  const [first, firstEnd] = found[0];
  const from = firstEnd < EXCERPT_CHARACTERS ? 0 : boundary(text, first - CHARACTERS_BEFORE);
  const to = boundary(text, Math.max(firstEnd, from + EXCERPT_CHARACTERS));
  return { from, to, hits: found.filter(([, end]) => end <= to) };
}

/** Returns `at`, moved so as not to split a surrogate pair. */
function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : Math.min(at, text.length);
}

/** Longest string to decode synchronously, in bytes; takes a millisecond or two. */
const SYNC_BYTES = 128 * 1024;

/** Returns a decoded string. A large one is decoded in slices and undefined until then. */
function useStringText(outline: JsonOutline, node: number): string | undefined {
  const small = useMemo(
    () => (outline.end(node) - outline.start(node) <= SYNC_BYTES ? outline.string(node) : undefined),
    [outline, node],
  );
  const [large, setLarge] = useState<string>();
  useEffect(() => {
    if (small !== undefined) return;
    const stop = new AbortController();
    void runInSlices(stringText(outline, node), stop.signal).then((text) => text !== undefined && setLarge(text));
    return () => stop.abort();
  }, [small, outline, node]);
  return small ?? large;
}
