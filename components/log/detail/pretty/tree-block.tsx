import { useLayoutEffect, useMemo, useRef } from 'react';
import { ImageBlock } from '@/components/untrusted/image-block';
import { LongText } from '@/components/untrusted/long-text';
import { foundPart } from './found-part';
import { FoundText } from './found-text';
import { imageData, imageType } from './image-string';
import { INDENT } from './tree-line';
import type { TreeRow } from './tree-rows';
import { useStringText } from './use-string-text';

/** What stands below a string's line: all of its text, or the picture that it is. */
export function TreeBlock({
  row,
  height,
  query,
}: {
  readonly row: TreeRow;
  readonly height: number;
  /** Marked where it first occurs, and gone to. */
  readonly query: string;
}) {
  const { document, node, depth, kind } = row;
  const { outline } = document;
  const text = useStringText(outline, node);
  const part = useMemo(
    () => (text === undefined || kind === 'image' ? undefined : foundPart(text, query)),
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        aria-label={kind === 'image' ? 'Picture' : 'Whole text'}
        className="relative h-full overflow-auto border-l-2 border-line bg-surface px-2 py-0.5 [&_img]:max-h-44"
      >
        {text === undefined ? (
          <p className="text-muted">Reading…</p>
        ) : kind === 'image' ? (
          <ImageBlock data={imageData(text)} mimeType={imageType(outline, node)} />
        ) : part ? (
          <FoundText text={text} part={part} />
        ) : (
          <LongText text={text} />
        )}
      </section>
    </div>
  );
}
