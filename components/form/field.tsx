import { type ComponentType, memo, useId, useMemo, useState } from 'react';
import type { Kind, View } from '@/lib/schema/shape';
import { accepts, startValue, typeProblem } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { ControlProps } from './control';
import { FieldFrame } from './field-frame';
import { useForm } from './form-context';
import { GroupFrame } from './group-frame';

interface FieldProps {
  /** Key in its parent; a number is an item of an array. */
  readonly name: string | number;
  readonly label: string;
  readonly schema: unknown;
  readonly value: unknown;
  /** The path of its parent; the same array from render to render. */
  readonly parent: readonly (string | number)[];
  readonly required?: boolean;
  readonly depth: number;
  /** A word to add after the label. */
  readonly note?: string;
  /** Without label and buttons: a map's row has its own. */
  readonly bare?: boolean;
}

/** Kinds whose inputs are groups of fields: they open and close. */
const GROUPS: ReadonlySet<Kind> = new Set<Kind>(['array', 'object', 'map']);

/** One value of the document with its label, input and buttons. Renders again only when its own value changes. */
export const Field = memo(function Field(props: FieldProps) {
  const { name, label, schema, value, parent, required = false, depth, note, bare } = props;
  const { root, controls, change } = useForm();
  const path = useMemo(() => [...parent, name], [parent, name]);
  const view = viewOf(schema, root);
  const fits = accepts(view, value);
  // Once a value is shown as JSON it stays so while the box has the focus: swapping the input would lose it.
  const [asJson, setAsJson] = useState(false);
  if (!fits && !asJson) setAsJson(true);
  const kind = asJson || !fits ? 'any' : view.kind;
  const id = useId();
  const problem = typeProblem(view, value);
  // The buttons that do this go away with it: the focus goes to the field.
  const leave = (next: unknown) => {
    document.getElementById(id)?.focus();
    change(path, next);
  };
  const Control = controls[kind] as ComponentType<ControlProps>;
  const control = (
    <Control
      view={kind === view.kind ? view : ({ ...view, kind: 'any' } as View<'any'>)}
      value={value}
      path={path}
      label={label}
      required={required}
      depth={depth}
      id={id}
      describedBy={`${id}-about`}
      invalid={problem !== undefined}
      // Clearing an input must not take away the item it stands in.
      onChange={(next) => change(path, next === undefined && (bare || typeof name === 'number') ? null : next)}
      onBlur={() => fits && setAsJson(false)}
    />
  );
  const Frame = GROUPS.has(kind) ? GroupFrame : FieldFrame;
  return (
    <Frame
      id={id}
      label={label}
      view={view}
      value={value}
      required={required}
      depth={depth}
      problem={problem}
      note={note}
      bare={bare}
      onNull={() => change(path, value === null ? undefined : null)}
      onUnset={value === undefined || bare ? undefined : () => leave(undefined)}
      onSet={() => leave(startValue(view))}
      item={typeof name === 'number'}
    >
      {control}
    </Frame>
  );
});
