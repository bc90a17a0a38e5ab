import { memo, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { startValue, toggledNull, typeProblem } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import { FieldFrame } from './field-frame';
import { focusField } from './focus-field';
import { useForm } from './form-context';
import { GroupFrame } from './group-frame';
import { isGroup } from './groups';
import { type FieldProblem, pathKey } from './problem-board';
import { useBoxed, ValueControl } from './value-control';

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
  const found = useSyncExternalStore(board.subscribe, () => board.at(key), none);
  // Until the worker has spoken, and where it cannot check the schema, the kind alone tells.
  const wrong = found.length === 0 && !board.checked ? typeProblem(view, value) : undefined;
  const problems = wrong === undefined ? found : [{ path, text: wrong, source: 'schema' as const }];
  const [raw, setRaw] = useState(false);
  const { boxed, release } = useBoxed(view, value);
  const id = useId();
  const item = typeof name === 'number' && !fixed;
  const set = (next: unknown) => {
    // The button that does this may go away with it: the focus goes to the field.
    document.getElementById(id)?.focus();
    memory.reconsider(path);
    change(path, next);
    // What stood there may take none.
    if (document.activeElement?.id !== id) focusField(path);
  };
  const Frame = isGroup(view, root) && !raw && !boxed ? GroupFrame : FieldFrame;
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
      onNull={() => set(toggledNull(value, view, root, typeof name === 'string' && !bare))}
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
          if (raw || boxed) memory.reconsider(path);
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
