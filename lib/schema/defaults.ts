import { isRecord, type Path } from './document';
import { edited, type JsonDocument } from './json-edit';
import type { View } from './shape';
import { view as viewOf } from './view';

/**
 * The defaults that the schema gives for what is not set, as edits: top-level properties, and those of objects that are
 * there. Nothing else is added.
 */
export function defaultsFor(
  schema: unknown,
  value: unknown,
): readonly { readonly path: Path; readonly value: unknown }[] {
  const found: { path: Path; value: unknown }[] = [];
  collect(viewOf(schema, schema), value ?? {}, []);
  return found;

  function collect(view: View, value: unknown, path: Path): void {
    if (view.kind !== 'object' || !isRecord(value)) return;
    for (const { name, schema: inner } of view.properties) {
      const property = viewOf(inner, schema);
      if (Object.hasOwn(value, name)) collect(property, value[name], [...path, name]);
      else if (property.default !== undefined) found.push({ path: [...path, name], value: property.default.value });
    }
  }
}

/** The document with the schema's defaults for what is not set in it. */
export function withDefaults(schema: unknown, document: JsonDocument): JsonDocument {
  return defaultsFor(schema, document.value).reduce(
    (at, { path, value }) => edited(at, { type: 'set', path, value }),
    document,
  );
}
