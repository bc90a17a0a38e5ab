import {
  type FocusEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from '@/components/ui/class-names';
import { CONTROLS } from '@/components/ui/focus';
import { isRecord, type Path } from '@/lib/json/edit';
import { isNumber, writeNumber } from '@/lib/json/exact';
import { isSecretName } from '@/lib/wire/secret-names';
import { useForm } from './form-context';

/** Fields drawn together, and how many make a list so long that parts out of sight are left out of the layout. */
const PART = 10;
const LONG = 120;

interface FieldPartsProps {
  /** Of the object or array that holds the fields. */
  readonly path: Path;
  readonly keys: readonly (string | number)[];
  readonly valueAt: (key: string | number) => unknown;
  readonly isRequired?: (index: number) => boolean;
  /** The fields `from` up to, and without, `to`. */
  readonly draw: (from: number, to: number) => ReactNode;
}

/** The fields of an object or array, in parts that are drawn when they are about to be seen. */
export function FieldParts({ path, keys, valueAt, isRequired, draw }: FieldPartsProps) {
  return Array.from({ length: Math.ceil(keys.length / PART) }, (_, part) => {
    const from = part * PART;
    const inPart = keys.slice(from, from + PART);
    return (
      <Part
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is what stands at its place
        key={part}
        path={path}
        keys={inPart}
        valueAt={valueAt}
        required={() => inPart.some((_, index) => isRequired?.(from + index))}
        long={keys.length > LONG}
      >
        {() => draw(from, from + inPart.length)}
      </Part>
    );
  });
}

interface PartProps {
  readonly path: Path;
  readonly keys: readonly (string | number)[];
  readonly valueAt: (key: string | number) => unknown;
  readonly required: () => boolean;
  readonly long: boolean;
  readonly children: () => ReactNode;
}

function Part({ path, keys, valueAt, required, long, children }: PartProps) {
  const { sight } = useForm();
  const [drawn, setDrawn] = useState(() => sight.admitPart(keys.length));
  const rows = useRef<HTMLDivElement>(null);
  const wanted = useRef<PartFocus>(undefined);
  const onDraw = useCallback((focus?: PartFocus) => {
    wanted.current = focus;
    setDrawn(true);
  }, []);
  useLayoutEffect(() => {
    const want = wanted.current;
    if (!drawn || want === undefined) return;
    const controls = [...rows.current!.querySelectorAll<HTMLElement>(CONTROLS)];
    const required = controls.find((control) => want === 'required' && control.ariaRequired === 'true');
    (required ?? controls.at(want === 'last' ? -1 : 0))?.focus();
  }, [drawn]);
  if (!drawn) {
    return <UndrawnPart path={path} keys={keys} values={keys.map(valueAt)} required={required()} onDraw={onDraw} />;
  }
  return (
    <div
      ref={rows}
      data-rows=""
      className={classNames(
        'flex min-w-0 flex-col gap-1.5',
        // Room for the ring of what has the focus, which would be cut.
        long && '-mx-1 px-1 [contain-intrinsic-size:auto_400px] [content-visibility:auto]',
      )}
    >
      {children()}
    </div>
  );
}

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
const UndrawnPart = memo(function UndrawnPart({ path, keys, values, required, onDraw }: UndrawnPartProps) {
  const { sight, reveal } = useForm();
  const place = useRef<HTMLDivElement>(null);
  const found = useRef<HTMLDivElement>(null);
  const { words, count } = useMemo(() => searchTextOf(keys, values), [keys, values]);
  useEffect(() => sight.drawWhenNear(place.current!, keys.length, onDraw), [sight, keys.length, onDraw]);
  useEffect(() => reveal.onReveal(path, onDraw, keys), [reveal, path, onDraw, keys]);
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

/** Values looked at of fields that are not drawn, and characters of each. */
const MOST_VALUES = 1000;
const LONGEST = 200;

/** What can be found of fields that are not drawn, their names and what they hold unless that looks secret, and about how many fields that will be. */
export function searchTextOf(
  keys: readonly (string | number)[],
  values: readonly unknown[],
): { readonly words: string; readonly count: number } {
  const words: string[] = [];
  const pending = keys.map((key, at): readonly [key: string | number, value: unknown] => [key, values[at]]);
  let count = 0;
  for (; count < pending.length && count < MOST_VALUES; count++) {
    const [key, value] = pending[count]!;
    if (typeof key === 'string' && isSecretName(key, 'argument')) {
      words.push(key.slice(0, LONGEST));
      continue;
    }
    for (const text of [key, isNumber(value) ? writeNumber(value) : value]) {
      if (typeof text === 'string') words.push(text.slice(0, LONGEST));
    }
    const inner = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : [];
    for (const entry of inner) pending.push(entry);
  }
  return { words: words.join(' '), count };
}
