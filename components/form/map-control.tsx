import { useId, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { TextInput } from '@/components/ui/text-input';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { isRecord } from '@/lib/schema/document';
import { schemaOfName } from '@/lib/schema/objects';
import { AddProperty } from './add-property';
import type { ControlProps } from './control';
import { Field } from './field';
import { FieldParts } from './field-parts';
import { useForm } from './form-context';

/** An object with names of the caller's choice: a row a property, its name and its value. */
export function MapControl({ view, value, path, depth }: ControlProps<'map'>) {
  const { edit, change, readOnly } = useForm();
  const object = isRecord(value) ? value : {};
  const names = Object.keys(object);
  const rows = useKeptFocus<HTMLDivElement>(names.length);
  const schemaAt = (name: string) => {
    const schema = schemaOfName(view.others, name);
    return schema === false ? true : schema;
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div ref={rows} className="contents">
        <FieldParts
          path={path}
          keys={names}
          valueAt={(name) => object[name]}
          draw={(from, to) =>
            names.slice(from, to).map((name, index) => (
              // By place, so that renaming keeps the focus.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <div key={index} className="flex min-w-0 items-start gap-1">
                <div className="w-24 shrink-0 @lg:w-[136px]">
                  <MapName
                    name={name}
                    readOnly={readOnly}
                    taken={(to) => Object.hasOwn(object, to)}
                    onRename={(to) => edit({ type: 'rename', path, from: name, to })}
                  />
                </div>
                <div className="min-w-0 flex-1">
                  <Field
                    name={name}
                    label={name}
                    schema={schemaAt(name)}
                    value={object[name]}
                    parent={path}
                    depth={depth + 1}
                    note={schemaOfName(view.others, name) === false ? 'not in the schema' : undefined}
                    bare
                  />
                </div>
                {!readOnly && (
                  <IconButton label={`Remove ${name}`} onClick={() => edit({ type: 'remove', path: [...path, name] })}>
                    ×
                  </IconButton>
                )}
              </div>
            ))
          }
        />
      </div>
      <AddProperty
        others={view.others}
        taken={(name) => Object.hasOwn(object, name)}
        onAdd={(name, value) => change([...path, name], value)}
        path={path}
        open
      />
    </div>
  );
}

interface MapNameProps {
  readonly name: string;
  readonly readOnly: boolean;
  readonly taken: (name: string) => boolean;
  readonly onRename: (to: string) => void;
}

/** A property's name; renamed on leaving the box, unless the name is taken. */
function MapName({ name, readOnly, taken, onRename }: MapNameProps) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const collides = draft !== undefined && draft !== name && taken(draft);
  return (
    <>
      <TextInput
        mono
        readOnly={readOnly}
        aria-label="Property name"
        aria-invalid={collides || undefined}
        aria-describedby={collides ? id : undefined}
        value={draft ?? name}
        onChange={setDraft}
        onBlur={() => {
          if (draft !== undefined && !collides) onRename(draft);
          if (!collides) setDraft(undefined);
        }}
      />
      {collides && (
        <p id={id} role="status" className="text-small text-warn">
          ! Another property has this name.
        </p>
      )}
    </>
  );
}
