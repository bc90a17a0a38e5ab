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
import { moveFocus } from '@/components/ui/page-focus';
import { isRecord, type JsonPath } from '@/lib/json/edit';
import { isExactNumber, writeNumber } from '@/lib/json/exact';
import { isSecretName } from '@/lib/wire/secret-names';
import { useForm } from './form-context';

/** Fields that are rendered together. */
const PART = 10;
/** Number of fields. In longer lists the browser skips the layout of parts that are out of view. */
const LONG = 120;

interface FieldPartsProps {
  /** Path of the object or array that holds the fields. */
  readonly path: JsonPath;
  readonly keys: readonly (string | number)[];
  readonly valueAt: (key: string | number) => unknown;
  readonly isRequired?: (index: number) => boolean;
  /** Renders the fields `from` up to `to`, exclusive. */
  readonly draw: (from: number, to: number) => ReactNode;
}

/** The fields of an object or array, in parts that are rendered shortly before they come into view. */
export function FieldParts({ path, keys, valueAt, isRequired, draw }: FieldPartsProps) {
  return Array.from({ length: Math.ceil(keys.length / PART) }, (_, part) => {
    const from = part * PART;
    const inPart = keys.slice(from, from + PART);
    return (
      <Part
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position
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
  readonly path: JsonPath;
  readonly keys: readonly (string | number)[];
  readonly valueAt: (key: string | number) => unknown;
  readonly required: () => boolean;
  readonly long: boolean;
  readonly children: () => ReactNode;
}

function Part({ path, keys, valueAt, required, long, children }: PartProps) {
  const { visibility } = useForm();
  const [drawn, setDrawn] = useState(() => visibility.admitPart(keys.length));
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
    moveFocus(required ?? controls.at(want === 'last' ? -1 : 0));
  }, [drawn]);
  if (!drawn) {
    return <UndrawnPart path={path} keys={keys} values={keys.map(valueAt)} required={required()} onDraw={onDraw} />;
  }
  return (
    <div
      ref={rows}
      data-rows=""
      className={classNames(
        'flex min-w-0 flex-col gap-2 short:gap-0.5',
        // Room for the focus ring, which would be clipped.
        long && '-mx-1 px-1 [contain-intrinsic-size:auto_400px] [content-visibility:auto]',
      )}
    >
      {children()}
    </div>
  );
}

/** Average height of a field in pixels. */
const ROW_HEIGHT = 80;

/** Which control of a part is focused when it is rendered: the one Tab leads to, or the first required one. */
export type PartFocus = 'first' | 'last' | 'required' | undefined;

interface UndrawnPartProps {
  /** Path of the object or array. */
  readonly path: JsonPath;
  /** Names or indexes of the unrendered fields, and their values. */
  readonly keys: readonly (string | number)[];
  readonly values: readonly unknown[];
  readonly required: boolean;
  readonly onDraw: (focus?: PartFocus) => void;
}

/**
 * A placeholder for fields that are not rendered yet. The fields are rendered when the placeholder comes near the view,
 * or Tab or a screen reader reaches it. A reveal of a field and a match of find-in-page render them too.
 */
const UndrawnPart = memo(function UndrawnPart({ path, keys, values, required, onDraw }: UndrawnPartProps) {
  const { visibility, reveal } = useForm();
  const place = useRef<HTMLDivElement>(null);
  const found = useRef<HTMLDivElement>(null);
  const { words, count } = useMemo(() => searchTextOf(keys, values), [keys, values]);
  useEffect(() => visibility.drawWhenNear(place.current!, keys.length, onDraw), [visibility, keys.length, onDraw]);
  useEffect(() => reveal.onReveal(path, onDraw, keys), [reveal, path, onDraw, keys]);
  useLayoutEffect(() => {
    const element = found.current!;
    // React only supports `hidden` as a boolean.
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

/** Most values of unrendered fields that find-in-page can find. */
const MOST_VALUES = 1000;
/** Characters of each value that find-in-page can find. */
const LONGEST = 200;

/**
 * Returns the names and values of unrendered fields for find-in-page, without values that look secret, and how many
 * there are.
 */
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
    for (const text of [key, isExactNumber(value) ? writeNumber(value) : value]) {
      if (typeof text === 'string') words.push(text.slice(0, LONGEST));
    }
    const inner = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : [];
    for (const entry of inner) pending.push(entry);
  }
  return { words: words.join(' '), count };
}
