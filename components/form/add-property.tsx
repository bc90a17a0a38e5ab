import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextInput } from '@/components/ui/text-input';
import type { Path } from '@/lib/schema/document';
import { schemaOfName } from '@/lib/schema/objects';
import type { OtherNames } from '@/lib/schema/shape';
import { startValue } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import { focusField } from './focus-field';
import { useForm } from './form-context';

interface AddPropertyProps {
  readonly others: OtherNames;
  readonly taken: (name: string) => boolean;
  readonly onAdd: (name: string, value: unknown) => void;
  /** Of the object. */
  readonly path: Path;
  /** True where names are what is asked for: the row stands open. */
  readonly open?: boolean;
}

/** Adds a property of any name, also where the schema forbids it: servers are to be tried with wrong arguments too. */
export function AddProperty({ others, taken, onAdd, path, open: always = false }: AddPropertyProps) {
  const { root, readOnly } = useForm();
  const [open, setOpen] = useState(always);
  const [name, setName] = useState('');
  const listId = useId();
  const duplicate = taken(name);
  if (readOnly) return null;
  if (!open) {
    return (
      <div>
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="h-[22px] rounded text-small text-muted hover:text-text hover:underline"
        >
          + property
        </button>
      </div>
    );
  }
  const add = () => {
    if (duplicate) return;
    const schema = schemaOfName(others, name);
    onAdd(name, schema === false ? '' : startValue(viewOf(schema, root), root));
    setName('');
    focusField([...path, name]);
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
          aria-label="New property"
          placeholder="new property"
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
      {duplicate && <p className="text-small text-warn">! There is a property of this name already.</p>}
    </div>
  );
}
