import { type FocusEvent, memo, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Path } from '@/lib/schema/document';
import { useForm } from './form-context';
import { wordsOf } from './part-words';

/** Pixels that a field takes, more or less. */
const ROW_HEIGHT = 40;

/** Which control of a part gets the focus when it is drawn: what Tab went to, or what is to be filled in first. */
export type PartFocus = 'first' | 'last' | 'required' | undefined;

interface UndrawnPartProps {
  /** Of the container. */
  readonly path: Path;
  /** Names or numbers of the fields in it, and what they hold. */
  readonly keys: readonly (string | number)[];
  readonly values: readonly unknown[];
  readonly required: boolean;
  readonly onDraw: (focus?: PartFocus) => void;
}

/**
 * Stands for fields that are not drawn. They are when it comes near to what is seen, when one of them is to be shown, when Tab
 * or a screen reader gets there, and when the browser's search finds one of their words.
 */
export const UndrawnPart = memo(function UndrawnPart({ path, keys, values, required, onDraw }: UndrawnPartProps) {
  const { sight, reveal } = useForm();
  const place = useRef<HTMLDivElement>(null);
  const found = useRef<HTMLDivElement>(null);
  const { words, count } = useMemo(() => wordsOf(keys, values), [keys, values]);
  useEffect(() => sight.watch(place.current!, keys.length, onDraw), [sight, keys.length, onDraw]);
  useEffect(() => reveal.within(path, onDraw, keys), [reveal, path, onDraw, keys]);
  useLayoutEffect(() => {
    const element = found.current!;
    // React knows `hidden` as yes or no only.
    element.setAttribute('hidden', 'until-found');
    const onFound = () => onDraw();
    element.addEventListener('beforematch', onFound);
    return () => element.removeEventListener('beforematch', onFound);
  }, [onDraw]);
  const onFocus = (event: FocusEvent) => {
    const from = event.relatedTarget;
    if (!from?.closest('[data-form]')) return onDraw('required');
    const backwards = place.current!.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING;
    onDraw(backwards ? 'last' : 'first');
  };
  return (
    <div
      ref={place}
      data-undrawn=""
      data-required={required || undefined}
      style={{ minHeight: count * ROW_HEIGHT }}
      className="relative"
    >
      <button type="button" className="sr-only" onFocus={onFocus} onClick={() => onDraw('first')}>
        More fields
      </button>
      <div ref={found} hidden>
        {words}
      </div>
    </div>
  );
}, sameFields);

function sameFields(before: UndrawnPartProps, after: UndrawnPartProps): boolean {
  const same = (name: keyof UndrawnPartProps) => before[name] === after[name];
  return (
    same('path') && same('required') && sameItems(before.keys, after.keys) && sameItems(before.values, after.values)
  );
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
