import { memo, useId, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '@/components/ui/button';
import { useListFocus } from '@/components/ui/focus';
import { TextInput } from '@/components/ui/inputs';
import { isRecord, type JsonPath } from '@/lib/json/edit';
import { type JsonObject, own } from '@/lib/json/value';
import { schemaOfName } from '@/lib/schema/objects';
import type { OtherProperties, Property } from '@/lib/schema/view-types';
import { FormField } from './field';
import { FieldParts } from './field-parts';
import { type ControlProps, useForm } from './form-context';
import { focusField } from './form-state';

/** An object's properties in the schema's order, then those that the schema does not name. */
export function ObjectControl({ view, value, path, depth }: ControlProps<'object'>) {
  const object = isRecord(value) ? value : {};
  const names = useMemo(() => view.properties.map((property) => property.name), [view]);
  const known = useMemo(() => new Set(names), [names]);
  const added = useAddedNames();
  const waiting = added.names.filter((name) => !Object.hasOwn(object, name));
  const unknown = [...Object.keys(object).filter((name) => !known.has(name)), ...waiting];
  return (
    <div className="flex min-w-0 flex-col gap-2 short:gap-0.5">
      <FieldParts
        path={path}
        keys={names}
        valueAt={(name) => own(object, name as string)}
        isRequired={(index) => view.properties[index]!.required}
        draw={(from, to) => (
          <PropertyFields properties={view.properties} from={from} to={to} object={object} path={path} depth={depth} />
        )}
      />
      <FieldParts
        path={path}
        keys={unknown}
        valueAt={(name) => own(object, name as string)}
        draw={(from, to) =>
          unknown.slice(from, to).map((name) => {
            const schema = schemaOfName(view.others, name);
            return (
              <FormField
                key={name}
                name={name}
                label={name}
                schema={schema === false ? true : schema}
                value={own(object, name)}
                parent={path}
                note={schema === false ? 'not in the schema' : 'added'}
                depth={depth + 1}
                onDrop={() => added.remove(name)}
              />
            );
          })
        }
      />
      <AddProperty
        others={view.others}
        taken={(name) => Object.hasOwn(object, name) || unknown.includes(name)}
        onAdd={added.add}
        path={path}
        isAside={depth === 0 && view.properties.length > 0}
      />
    </div>
  );
}

/** Names that the user added and that may have no value yet, so that nothing is sent which nobody typed. */
function useAddedNames() {
  const { generation } = useForm();
  const [added, setAdded] = useState<{ readonly generation: number; readonly names: readonly string[] }>();
  // Another document has other names.
  const names = added?.generation === generation ? added.names : NO_NAMES;
  const set = (next: readonly string[]) => setAdded({ generation, names: next });
  return {
    names,
    add: (name: string) => set([...names.filter((other) => other !== name), name]),
    remove: (name: string) => set(names.filter((other) => other !== name)),
    rename: (from: string, to: string) => set(names.map((name) => (name === from ? to : name))),
  };
}

const NO_NAMES: readonly string[] = [];

interface PropertyFieldsProps {
  readonly properties: readonly Property[];
  readonly from: number;
  readonly to: number;
  readonly object: JsonObject;
  readonly path: JsonPath;
  readonly depth: number;
}

/** Some of an object's properties. Renders again only when one of their values changes. */
const PropertyFields = memo(function PropertyFields(props: PropertyFieldsProps) {
  const { properties, from, to, object, path, depth } = props;
  return properties
    .slice(from, to)
    .map(({ name, schema, required, condition }) => (
      <FormField
        key={name}
        name={name}
        label={name}
        schema={schema}
        value={own(object, name)}
        parent={path}
        required={required}
        depth={depth + 1}
        note={condition}
      />
    ));
}, sameValues);

function sameValues(before: PropertyFieldsProps, after: PropertyFieldsProps): boolean {
  if (before.properties !== after.properties || before.path !== after.path || before.to !== after.to) return false;
  for (let index = after.from; index < after.to; index++) {
    const { name } = after.properties[index]!;
    if (own(before.object, name) !== own(after.object, name)) return false;
  }
  return before.depth === after.depth;
}

interface MapControlProps extends ControlProps<'map'> {
  /** The box for a new name opens only on a press. */
  readonly closed?: boolean;
}

/** An object with free property names: one row for each name and value. */
export function MapControl({ view, value, path, depth, closed = false }: MapControlProps) {
  const { edit, readOnly } = useForm();
  const object = isRecord(value) ? value : {};
  const added = useAddedNames();
  // Added rows keep their places when they get a value.
  const names = [...Object.keys(object).filter((name) => !added.names.includes(name)), ...added.names];
  const rows = useListFocus<HTMLDivElement>(names.length);
  const schemaAt = (name: string) => {
    const schema = schemaOfName(view.others, name);
    return schema === false ? true : schema;
  };
  return (
    <div className="flex min-w-0 flex-col gap-2 short:gap-0.5">
      <div ref={rows} className="contents">
        <FieldParts
          path={path}
          keys={names}
          valueAt={(name) => own(object, name as string)}
          draw={(from, to) =>
            names.slice(from, to).map((name, index) => (
              // Keyed by position, so that renaming keeps the focus.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <div key={index} className="hover-row flex max-w-[640px] min-w-0 items-start gap-1">
                <div className="w-24 shrink-0 @lg:w-[136px]">
                  <MapName
                    name={name}
                    readOnly={readOnly}
                    taken={(to) => names.includes(to)}
                    onRename={(to) => {
                      added.rename(name, to);
                      if (Object.hasOwn(object, name)) edit({ type: 'rename', path, from: name, to });
                    }}
                  />
                </div>
                <div className="min-w-0 flex-1">
                  <FormField
                    name={name}
                    label={name}
                    schema={schemaAt(name)}
                    value={own(object, name)}
                    parent={path}
                    depth={depth + 1}
                    note={schemaOfName(view.others, name) === false ? 'not in the schema' : undefined}
                    bare
                  />
                </div>
                {!readOnly && (
                  <IconButton
                    label={`Remove ${name}`}
                    onClick={() => {
                      added.remove(name);
                      if (Object.hasOwn(object, name)) edit({ type: 'remove', path: [...path, name] });
                    }}
                    className="on-hover mt-0.5"
                  >
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
        taken={(name) => names.includes(name)}
        onAdd={added.add}
        path={path}
        open={!closed}
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

/** A property's name. It is renamed on blur and by Enter, unless the name is taken. */
function MapName({ name, readOnly, taken, onRename }: MapNameProps) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const collides = draft !== undefined && draft !== name && taken(draft);
  const commit = () => {
    if (draft !== undefined && !collides) onRename(draft);
    if (!collides) setDraft(undefined);
  };
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
        onBlur={commit}
        // Before the key sends the call.
        onKeyDown={(event) => event.key === 'Enter' && flushSync(commit)}
      />
      {collides && (
        <p id={id} role="status" className="text-small text-warn">
          ! Another property has this name
        </p>
      )}
    </>
  );
}

interface AddPropertyProps {
  readonly others: OtherProperties;
  readonly taken: (name: string) => boolean;
  readonly onAdd: (name: string) => void;
  /** Path of the object. */
  readonly path: JsonPath;
  /** True to keep it open, for an object with free property names. */
  readonly open?: boolean;
  /** The form may offer it elsewhere. */
  readonly isAside?: boolean;
}

/** Adds a property of any name, even a forbidden one, to test servers with wrong arguments. */
function AddProperty({ others, taken, onAdd, path, open: always = false, isAside = false }: AddPropertyProps) {
  const { readOnly, addsField } = useForm();
  const asked = isAside ? addsField : undefined;
  const [pressed, setOpen] = useState(always);
  const open = pressed || asked === true;
  const [name, setName] = useState('');
  const listId = useId();
  const duplicate = taken(name);
  if (readOnly || asked === false) return null;
  if (!open) {
    return (
      <div>
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="h-6 rounded text-small text-muted hover:text-text hover:underline"
        >
          Add field
        </button>
      </div>
    );
  }
  const add = () => {
    if (duplicate) return;
    onAdd(name);
    setName('');
    focusField([...path, name], true);
  };
  return (
    <div>
      <form
        className="flex max-w-80 items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextInput
          autoFocus={!always}
          aria-label="New field"
          placeholder="name"
          value={name}
          onChange={setName}
          list={others.suggested.length > 0 ? listId : undefined}
          mono
        />
        <Button size="small" type="submit" disabled={duplicate}>
          Add
        </Button>
      </form>
      {others.suggested.length > 0 && (
        <datalist id={listId}>
          {others.suggested.slice(0, 200).map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {duplicate && <p className="text-small text-warn">! This field already exists</p>}
    </div>
  );
}
