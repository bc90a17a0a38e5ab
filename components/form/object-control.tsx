import { useMemo } from 'react';
import { isRecord } from '@/lib/schema/document';
import { schemaOfName } from '@/lib/schema/objects';
import { own } from '@/lib/wire/message';
import { AddProperty } from './add-property';
import type { ControlProps } from './control';
import { Field } from './field';
import { FieldParts } from './field-parts';
import { useForm } from './form-context';
import { PropertyFields } from './property-fields';

/** An object's properties, in the schema's order; then those it has though the schema does not name them. */
export function ObjectControl({ view, value, path, depth }: ControlProps<'object'>) {
  const { change } = useForm();
  const object = isRecord(value) ? value : {};
  const names = useMemo(() => view.properties.map((property) => property.name), [view]);
  const known = useMemo(() => new Set(names), [names]);
  const unknown = Object.keys(object).filter((name) => !known.has(name));
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
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
        valueAt={(name) => object[name]}
        draw={(from, to) =>
          unknown.slice(from, to).map((name) => {
            const schema = schemaOfName(view.others, name);
            return (
              <Field
                key={name}
                name={name}
                label={name}
                schema={schema === false ? true : schema}
                value={object[name]}
                parent={path}
                note={schema === false ? 'not in the schema' : 'added'}
                depth={depth + 1}
              />
            );
          })
        }
      />
      <AddProperty
        others={view.others}
        taken={(name) => Object.hasOwn(object, name)}
        onAdd={(name, value) => change([...path, name], value)}
        path={path}
      />
    </div>
  );
}
