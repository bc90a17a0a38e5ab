import { type ComponentType, memo, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { moveFocus } from '@/components/ui/page-focus';
import type { JsonPath } from '@/lib/json/edit';
import { accepts, startValue, toggleNull, typeProblem } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { View } from '@/lib/schema/view-types';
import { FieldGroup, PlainField } from './field-frame';
import { type ControlProps, useForm } from './form-context';
import { type FieldProblem, focusField, pathKey } from './form-state';

interface FieldProps {
  /** Property name, or index of an array item. */
  readonly name: string | number;
  readonly label: string;
  readonly schema: unknown;
  readonly value: unknown;
  /** Path of the containing object or array. Pass the same array at each render. */
  readonly parent: readonly (string | number)[];
  readonly required?: boolean;
  readonly depth: number;
  /** A word to show after the label. */
  readonly note?: string;
  /** Without label and buttons, for a map's row, which has its own. */
  readonly bare?: boolean;
  /** A tuple's item: it can't be moved, and only the last one can be removed. */
  readonly fixed?: boolean;
  /** True for the last item of an array. */
  readonly last?: boolean;
  /** Removes the row of a property that is not in the schema. */
  readonly onDrop?: () => void;
}

/** One value of the document, with label, input and buttons. Renders again only when its value or problems change. */
export const FormField = memo(function Field(props: FieldProps) {
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
    onDrop,
  } = props;
  const { root, change, memory, readOnly, titles } = useForm();
  const path = useMemo(() => [...parent, name], [parent, name]);
  const key = useMemo(() => pathKey(path), [path]);
  const view = viewOf(schema, root);
  // An empty name is a valid name.
  const label = (titles && view.title) || (props.label === '' ? '""' : props.label);
  const problems = useFieldProblems(path, key, view, value);
  const [unsets, setUnsets] = useState(0);
  const { boxed, release, raw, setRaw } = useShownAsJson(view, value, unsets);
  const id = useId();
  const item = typeof name === 'number' && !fixed;
  const set = (next: unknown) => {
    // The pressed button may disappear, so move the focus to the field.
    moveFocus(document.getElementById(id));
    memory.resetChoicesBelow(path);
    change(path, next);
    // The element that now has this id may not be focusable.
    const changesInput = accepts(view, next) !== accepts(view, value);
    if (changesInput || document.activeElement?.id !== id) focusField(path);
  };
  const unset = () => {
    onDrop?.();
    set(undefined);
    if (!raw && !boxed && view.kind !== 'union') return;
    setUnsets((count) => count + 1);
    focusField(path);
  };
  const Frame = isGroup(view, root) && !raw && !boxed ? FieldGroup : PlainField;
  // A set group was asked for, so what it requires is open.
  const common = { id, path, label, view, value, required, depth: value === undefined ? depth : 0 };
  return (
    <Frame
      {...common}
      {...{ fieldKey: key, problems, note, bare, item, last, raw, onRaw: setRaw }}
      onSet={set}
      onUnset={value === undefined || bare || (fixed && !last) ? onDrop : unset}
      onNull={() => set(toggleNull(value, view, root, typeof name === 'string' && !bare))}
      onStart={() => set(startValue(view, root))}
    >
      <ValueControl
        {...common}
        // An unset field starts again, with the input of its kind.
        key={unsets}
        boxed={raw || boxed}
        describedBy={`${id}-about`}
        invalid={problems.length > 0}
        readOnly={readOnly}
        // Clearing an input must not remove its array item or map entry.
        onChange={(next) => {
          if (raw || boxed) memory.resetChoicesBelow(path);
          const stays = value !== undefined && (bare || typeof name === 'number');
          change(path, next === undefined && stays ? null : next);
        }}
        onBlur={release}
      />
    </Frame>
  );
});

/** Returns the problems of one field: the checker's, or a wrong type while there is no check. */
function useFieldProblems(path: JsonPath, key: string, view: View, value: unknown): readonly FieldProblem[] {
  const { problems } = useForm();
  const found = useSyncExternalStore(problems.subscribe, () => problems.problemsAt(key), none);
  // Before the worker's first result, or if it can't check the schema, at least check the type.
  const guess = found.length === 0 && !problems.checked && problems.isShown(key);
  const wrong = guess ? typeProblem(view, value) : undefined;
  return wrong === undefined ? found : [{ path, text: wrong, source: 'schema' }];
}

const NONE: readonly FieldProblem[] = [];

function none(): readonly FieldProblem[] {
  return NONE;
}

interface ShownAsJson {
  /** The input of the value's kind can't show it. */
  readonly boxed: boolean;
  /** Call on blur. */
  readonly release: () => void;
  /** The user chose to edit the value as JSON. */
  readonly raw: boolean;
  readonly setRaw: (raw: boolean) => void;
}

/**
 * Returns whether a value is shown in a JSON box. A `boxed` value stays in it until `release` is called, because
 * replacing a focused input would lose the focus. A change from outside the form and another `unsets` end both.
 */
export function useShownAsJson(view: View, value: unknown, unsets = 0): ShownAsJson {
  const { generation } = useForm();
  const now = `${generation} ${unsets}`;
  const fits = accepts(view, value);
  const [heldIn, setHeldIn] = useState<string>();
  const [rawIn, setRawIn] = useState<string>();
  if (!fits && heldIn !== now) setHeldIn(now);
  return {
    boxed: heldIn === now || !fits,
    release: () => fits && setHeldIn(undefined),
    raw: rawIn === now,
    setRaw: (raw) => setRawIn(raw ? now : undefined),
  };
}

/** The input for a value: the one of its kind, or a JSON box if `boxed`. */
export function ValueControl({ boxed, ...props }: ControlProps & { readonly boxed: boolean }) {
  const { view } = props;
  const { controls } = useForm();
  const Control = controls[boxed ? 'any' : view.kind] as ComponentType<ControlProps>;
  const shown = boxed && view.kind !== 'any' ? ({ ...view, kind: 'any', because: undefined } as View<'any'>) : view;
  return <Control {...props} view={shown} />;
}

/**
 * True if a view is shown as a group of fields that opens and closes. A union's list of plain values is not a group: it
 * stands beside its label.
 */
export function isGroup(view: View, root: unknown): boolean {
  const known = groups.get(view);
  if (known !== undefined) return known;
  const found = holdsGroup(view, root, new Set());
  groups.set(view, found);
  return found;
}

// Results can be cached, because views are immutable and have one root each.
const groups = new WeakMap<View, boolean>();

/** Views to inspect before a union is assumed to contain a group. Groups render lazily. */
const MOST_SEEN = 1000;

/** Looks at each view once, so that recursive or repeated unions cost no extra time. */
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
