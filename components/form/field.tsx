import { type ComponentType, memo, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { accepts, startValue, toggleNull, typeProblem } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { View } from '@/lib/schema/view-types';
import { focusField } from './field-focus';
import { FieldGroup, PlainField } from './field-frame';
import { type FieldProblem, pathKey } from './field-problems';
import { type ControlProps, useForm } from './form-context';

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
  /** A place of a tuple: it is not moved, and left out only together with all that follow. */
  readonly fixed?: boolean;
  /** Of an item, whether there is one after it. */
  readonly last?: boolean;
}

/** One value of the document with its label, input and buttons. Renders again only when its own value or problems change. */
export const Field = memo(function Field(props: FieldProps) {
  const {
    name,
    schema,
    value,
    parent,
    required = false,
    depth,
    note,
    bare = false,
    fixed = false,
    last = true,
  } = props;
  const { root, change, memory, problems: board, readOnly } = useForm();
  // An empty name is one too.
  const label = props.label === '' ? '""' : props.label;
  const path = useMemo(() => [...parent, name], [parent, name]);
  const key = useMemo(() => pathKey(path), [path]);
  const view = viewOf(schema, root);
  const found = useSyncExternalStore(board.subscribe, () => board.problemsAt(key), none);
  // Until the worker has spoken, and where it cannot check the schema, the kind alone tells.
  const wrong = found.length === 0 && !board.checked ? typeProblem(view, value) : undefined;
  const problems = wrong === undefined ? found : [{ path, text: wrong, source: 'schema' as const }];
  const [raw, setRaw] = useState(false);
  const { boxed, release } = useShownAsJson(view, value);
  const id = useId();
  const item = typeof name === 'number' && !fixed;
  const set = (next: unknown) => {
    // The button that does this may go away with it: the focus goes to the field.
    document.getElementById(id)?.focus();
    memory.resetChoicesBelow(path);
    change(path, next);
    // What stood there may take none.
    if (document.activeElement?.id !== id) focusField(path);
  };
  const Frame = isGroup(view, root) && !raw && !boxed ? FieldGroup : PlainField;
  return (
    <Frame
      id={id}
      fieldKey={key}
      path={path}
      label={label}
      view={view}
      value={value}
      required={required}
      depth={depth}
      problems={problems}
      note={note}
      bare={bare}
      item={item}
      last={last}
      raw={raw}
      onRaw={setRaw}
      onSet={set}
      onUnset={value === undefined || bare || (fixed && !last) ? undefined : () => set(undefined)}
      onNull={() => set(toggleNull(value, view, root, typeof name === 'string' && !bare))}
      onStart={() => set(startValue(view, root))}
    >
      <ValueControl
        boxed={raw || boxed}
        view={view}
        value={value}
        path={path}
        label={label}
        required={required}
        depth={depth}
        id={id}
        describedBy={`${id}-about`}
        invalid={problems.some(({ source }) => source !== 'missing')}
        readOnly={readOnly}
        // Clearing an input must not take away the item it stands in.
        onChange={(next) => {
          if (raw || boxed) memory.resetChoicesBelow(path);
          change(path, next === undefined && (bare || typeof name === 'number') ? null : next);
        }}
        onBlur={release}
      />
    </Frame>
  );
});

const NONE: readonly FieldProblem[] = [];

function none(): readonly FieldProblem[] {
  return NONE;
}

/**
 * Whether a value is shown as JSON because its kind cannot show it. It stays so while the box has the focus, which swapping the
 * input would lose; `release` is for when it loses it.
 */
export function useShownAsJson(view: View, value: unknown): { readonly boxed: boolean; readonly release: () => void } {
  const fits = accepts(view, value);
  const [held, setHeld] = useState(false);
  if (!fits && !held) setHeld(true);
  return { boxed: held || !fits, release: () => fits && setHeld(false) };
}

/** The input for a value, by the kind of its view, or as JSON. */
export function ValueControl({ boxed, ...props }: ControlProps & { readonly boxed: boolean }) {
  const { view } = props;
  const { controls } = useForm();
  const Control = controls[boxed ? 'any' : view.kind] as ComponentType<ControlProps>;
  const shown = boxed && view.kind !== 'any' ? ({ ...view, kind: 'any', because: undefined } as View<'any'>) : view;
  return <Control {...props} view={shown} />;
}

/**
 * True if the inputs of a view are fields themselves, which open and close as a group. Lists of plain values lie beside
 * their label when they are one of several things a value may be.
 */
export function isGroup(view: View, root: unknown): boolean {
  const known = groups.get(view);
  if (known !== undefined) return known;
  const found = holdsGroup(view, root, new Set());
  groups.set(view, found);
  return found;
}

// A view never changes, and knows no other root than its own.
const groups = new WeakMap<View, boolean>();

/** Views looked at before a union is taken for a group, which is drawn piece by piece. */
const MOST_SEEN = 1000;

/** Each view is looked at once: a union that holds itself, or the same hundred others at each level, is no more work. */
function holdsGroup(view: View, root: unknown, seen: Set<View>): boolean {
  if (seen.has(view)) return false;
  if (seen.size >= MOST_SEEN) return true;
  seen.add(view);
  switch (view.kind) {
    case 'array':
    case 'tuple':
    case 'object':
    case 'map':
      return true;
    case 'union':
      return view.branches.some(({ schema }) => {
        const branch = viewOf(schema, root);
        const inner = branch.kind === 'array' ? viewOf(branch.items, root) : branch;
        return holdsGroup(inner, root, seen);
      });
    default:
      return false;
  }
}
