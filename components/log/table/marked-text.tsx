import { classNames } from '@/components/ui/class-names';
import { visibleText } from '@/components/ui/visible-text';
import type { TextPart } from '@/lib/filter/hits';

/** True if a text has a word of the filter. */
export function hasHit(parts: readonly TextPart[]): boolean {
  return parts.some(({ isHit }) => isHit);
}

/**
 * A text of a row. If it has a word of the filter, the first one is never cut: it is in the middle, or nearer to an end
 * of the text that is near, and the text on each side takes the room that is left.
 */
export function MarkedText({ parts, className }: { readonly parts: readonly TextPart[]; readonly className?: string }) {
  const at = parts.findIndex(({ isHit }) => isHit);
  if (at < 0) return <bdi className={className}>{visibleText(parts.map(({ text }) => text).join(''))}</bdi>;
  return (
    <bdi
      className={classNames(
        className,
        'inline-grid min-w-0 max-w-full grid-cols-[minmax(0,max-content)_auto_minmax(0,max-content)] align-bottom whitespace-pre',
      )}
    >
      {/* Overflows at its start, where the ellipsis is then. */}
      <span dir="rtl" className="overflow-hidden text-ellipsis">
        <bdi dir="ltr">
          <Parts parts={parts.slice(0, at)} />
        </bdi>
      </span>
      <Parts parts={[parts[at]!]} />
      <span className="overflow-hidden text-ellipsis">
        <Parts parts={parts.slice(at + 1)} />
      </span>
    </bdi>
  );
}

/** A row has one line, and spaces beside a hit must not collapse. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' '));
}

function Parts({ parts }: { readonly parts: readonly TextPart[] }) {
  return parts.map(({ text, isHit }, at) =>
    isHit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
      <mark key={at} className="rounded-xs bg-accent/25 text-text">
        {oneLine(text)}
      </mark>
    ) : (
      oneLine(text)
    ),
  );
}
