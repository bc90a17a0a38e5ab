import { isRecord } from '@/lib/schema/document';
import { schemaOfName } from '@/lib/schema/objects';
import { AddProperty } from './add-property';
import type { ControlProps } from './control';
import { Field } from './field';
import { useForm } from './form-context';
import { PropertyFields } from './property-fields';
import { useGradual } from './use-gradual';

/** Properties drawn as one part, and how many make a form so long that parts out of sight are left out of the layout. */
const PART = 40;
const LONG = 120;

/** An object's properties, in the schema's order; then those it has though the schema does not name them. */
export function ObjectControl({ view, value, path, depth }: ControlProps<'object'>) {
  const { change } = useForm();
  const object = isRecord(value) ? value : {};
  const known = new Set(view.properties.map((property) => property.name));
  const unknown = Object.keys(object).filter((name) => !known.has(name));
  const shown = useGradual(view.properties.length);
  return (
    <div aria-busy={shown < view.properties.length || undefined} className="flex min-w-0 flex-col gap-1.5">
      {Array.from({ length: Math.ceil(shown / PART) }, (_, part) => (
        <PropertyFields
          // biome-ignore lint/suspicious/noArrayIndexKey: properties stay where the schema has them
          key={part}
          properties={view.properties}
          from={part * PART}
          to={Math.min(shown, (part + 1) * PART)}
          object={object}
          path={path}
          depth={depth}
          long={view.properties.length > LONG}
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
