import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { TextInput } from '@/components/ui/text-input';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { isRecord, renameProperty, withoutProperty, withProperty } from '@/lib/schema/document';
import { startValue } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { ControlProps } from './control';
import { Field } from './field';
import { useForm } from './form-context';
import { useShownCount } from './use-shown-count';

/** An object with names of the caller's choice: a row a property, its name and its value. */
export function MapControl({ view, value, path, depth, onChange }: ControlProps<'map'>) {
  const { root } = useForm();
  const object = isRecord(value) ? value : {};
  const names = Object.keys(object);
  const [shown, more] = useShownCount(names.length);
  const rows = useKeptFocus<HTMLDivElement>(names.length);
  const [adding, setAdding] = useState('');
  const taken = Object.hasOwn(object, adding);
  const add = () => {
    if (taken) return;
    onChange(withProperty(object, adding, startValue(viewOf(view.values, root))));
    setAdding('');
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div ref={rows} className="contents">
        {names.slice(0, shown).map((name, index) => (
          // By place, so that renaming keeps the focus.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <div key={index} className="flex min-w-0 items-start gap-1">
            <MapName
              name={name}
              taken={(to) => Object.hasOwn(object, to)}
              onRename={(to) => onChange(renameProperty(object, name, to))}
            />
            <div className="min-w-0 flex-1">
              <Field
                name={name}
                label={name}
                schema={view.values}
                value={object[name]}
                parent={path}
                depth={depth + 1}
                bare
              />
            </div>
            <IconButton label="Remove" onClick={() => onChange(withoutProperty(object, name))}>
              ×
            </IconButton>
          </div>
        ))}
      </div>
      {more}
      <form
        className="flex max-w-80 items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextInput aria-label="New property" placeholder="new property" value={adding} onChange={setAdding} mono />
        <Button size="small" type="submit" disabled={taken}>
          Add
        </Button>
      </form>
      {taken && <p className="text-small text-warn">! There is a property of this name already.</p>}
    </div>
  );
}

/** A property's name; renamed on leaving the box, unless the name is taken. */
function MapName({
  name,
  taken,
  onRename,
}: {
  readonly name: string;
  readonly taken: (name: string) => boolean;
  readonly onRename: (to: string) => void;
}) {
  const [draft, setDraft] = useState<string>();
  const collides = draft !== undefined && draft !== name && taken(draft);
  return (
    <TextInput
      mono
      aria-label="Property name"
      aria-invalid={collides || undefined}
      title={collides ? 'There is a property of this name already.' : undefined}
      className="max-w-40"
      value={draft ?? name}
      onChange={setDraft}
      onBlur={() => {
        if (draft !== undefined && !collides) onRename(draft);
        if (!collides) setDraft(undefined);
      }}
    />
  );
}
