import { visibleText } from '@/components/ui/visible-text';
import { cutText } from '@/components/untrusted/cut-text';
import { formatBytes } from '@/lib/wire/format-bytes';
import { imageType } from './image-string';
import { MarkedText } from './marked-text';
import { outlinePreview } from './outline-preview';
import type { TreeRow } from './tree-rows';

/** Characters of a number that are shown: most is known long before. */
const MOST_DIGITS = 1000;

/** A value on its line: plain ones as they were written, strings cut, of objects and arrays a glimpse. */
export function TreeValue({
  row: { document, node },
  open,
  query,
  characters,
}: {
  readonly row: TreeRow;
  readonly open: boolean;
  readonly query: string;
  /** More than the line has room for. */
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
        <MarkedText text={cutText(outline.text(node), MOST_DIGITS)} query={query} />
      </span>
    );
  }
  const { text, whole } = outline.stringStart(node);
  const bytes = outline.end(node) - outline.start(node);
  const image = imageType(outline, node);
  const cut = cutText(text, image === undefined ? Math.max(40, characters) : 24);
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
