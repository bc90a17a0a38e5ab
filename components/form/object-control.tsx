import { isRecord } from '@/lib/schema/document';
import type { ControlProps } from './control';
import { Field } from './field';

/** An object's properties, in the schema's order; then those it has though the schema does not name them. */
export function ObjectControl({ view, value, path, depth }: ControlProps<'object'>) {
  const object = isRecord(value) ? value : {};
  const known = new Set(view.properties.map((property) => property.name));
  const unknown = Object.keys(object).filter((name) => !known.has(name));
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {view.properties.map(({ name, schema, required }) => (
        <Field
          key={name}
          name={name}
          label={name}
          schema={schema}
          value={Object.hasOwn(object, name) ? object[name] : undefined}
          parent={path}
          required={required}
          depth={depth + 1}
        />
      ))}
      {unknown.map((name) => (
        <Field
          key={`unknown ${name}`}
          name={name}
          label={name}
          schema={true}
          value={object[name]}
          parent={path}
          note="not in the schema"
          depth={depth + 1}
        />
      ))}
    </div>
  );
}
