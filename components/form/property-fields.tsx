import { memo } from 'react';
import type { Path } from '@/lib/schema/document';
import type { Property } from '@/lib/schema/shape';
import { type JsonObject, own } from '@/lib/wire/message';
import { Field } from './field';

interface PropertyFieldsProps {
  readonly properties: readonly Property[];
  readonly from: number;
  readonly to: number;
  readonly object: JsonObject;
  readonly path: Path;
  readonly depth: number;
}

/** Some of an object's properties. Looked at again only when one of their values changed. */
export const PropertyFields = memo(function PropertyFields(props: PropertyFieldsProps) {
  const { properties, from, to, object, path, depth } = props;
  return properties
    .slice(from, to)
    .map(({ name, schema, required, condition }) => (
      <Field
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
