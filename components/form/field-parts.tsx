import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { CONTROLS } from '@/components/ui/focus-form';
import type { Path } from '@/lib/schema/document';
import { useForm } from './form-context';
import { type PartFocus, UndrawnPart } from './undrawn-part';

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
  const [drawn, setDrawn] = useState(() => sight.admit(keys.length));
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
