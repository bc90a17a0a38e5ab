import { ImageBlock } from '@/components/untrusted/image-block';
import { LongText } from '@/components/untrusted/long-text';
import { imageData, imageType } from './image-string';
import { INDENT } from './tree-line';
import type { TreeRow } from './tree-rows';
import { useStringText } from './use-string-text';

/** What stands below a string's line: all of its text, or the picture that it is. */
export function TreeBlock({ row, height }: { readonly row: TreeRow; readonly height: number }) {
  const { document, node, depth, kind } = row;
  const { outline } = document;
  const text = useStringText(outline, node);
  return (
    <div role="presentation" style={{ height, paddingLeft: depth * INDENT + 16 }} className="pr-3 pb-1.5">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        aria-label={kind === 'image' ? 'Picture' : 'Whole text'}
        className="h-full overflow-auto border-l-2 border-line bg-surface px-2 py-0.5 [&_img]:max-h-44"
      >
        {text === undefined ? (
          <p className="text-muted">Reading…</p>
        ) : kind === 'image' ? (
          <ImageBlock data={imageData(text)} mimeType={imageType(outline, node)} />
        ) : (
          <LongText text={text} />
        )}
      </section>
    </div>
  );
}
