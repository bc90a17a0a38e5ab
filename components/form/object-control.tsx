import { isRecord } from '@/lib/schema/document';
import { schemaOfName } from '@/lib/schema/objects';
import { AddProperty } from './add-property';
import type { ControlProps } from './control';
import { Field } from './field';
import { useForm } from './form-context';
import { useGradual } from './use-gradual';

/** An object's properties, in the schema's order; then those it has though the schema does not name them. */
export function ObjectControl({ view, value, path, depth }: ControlProps<'object'>) {
  const { change } = useForm();
  const object = isRecord(value) ? value : {};
  const known = new Set(view.properties.map((property) => property.name));
  const unknown = Object.keys(object).filter((name) => !known.has(name));
  const shown = useGradual(view.properties.length);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {view.properties.slice(0, shown).map(({ name, schema, required, condition }) => (
        <Field
          key={name}
          name={name}
          label={name}
          schema={schema}
          value={Object.hasOwn(object, name) ? object[name] : undefined}
          parent={path}
          required={required}
          depth={depth + 1}
          note={condition}
        />
      ))}
      {unknown.map((name) => {
        const schema = schemaOfName(view.others, name);
        return (
          <Field
            key={`unknown ${name}`}
            name={name}
            label={name}
            schema={schema === false ? true : schema}
            value={object[name]}
            parent={path}
            note={schema === false ? 'not in the schema' : 'added'}
            depth={depth + 1}
          />
        );
      })}
      <AddProperty
        others={view.others}
        taken={(name) => Object.hasOwn(object, name)}
        onAdd={(name, value) => change([...path, name], value)}
        path={path}
      />
    </div>
  );
}
