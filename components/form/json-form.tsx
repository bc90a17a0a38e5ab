import { useId, useMemo } from 'react';
import type { Path } from '@/lib/schema/document';
import { accepts } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import { AnyControl } from './any-control';
import type { ControlProps } from './control';
import { FormProvider } from './form-context';
import { MapControl } from './map-control';
import { ObjectControl } from './object-control';
import { FIELDS } from './registry';

interface JsonFormProps {
  readonly schema: unknown;
  /** The document. */
  readonly value: unknown;
  /** Stable, or every field renders again. */
  readonly change: (path: Path, value: unknown) => void;
  /** Shown when the schema has no properties. */
  readonly empty: string;
}

const ROOT: Path = [];

/** Fields for a JSON document. Its root is an object almost always; anything else is one JSON box. */
export function JsonForm({ schema, value, change, empty }: JsonFormProps) {
  const scope = useMemo(() => ({ root: schema, controls: FIELDS, change }), [schema, change]);
  const id = useId();
  const view = viewOf(schema, schema);
  const root: Omit<ControlProps, 'view'> = {
    value,
    path: ROOT,
    label: 'arguments',
    required: false,
    depth: 0,
    id,
    describedBy: id,
    invalid: false,
    onChange: (next) => change(ROOT, next),
    onBlur: () => undefined,
  };
  return <FormProvider value={scope}>{fields()}</FormProvider>;

  function fields() {
    if (accepts(view, value) && view.kind === 'object') {
      if (view.properties.length === 0 && isEmpty(value)) return <p className="text-muted">{empty}</p>;
      return <ObjectControl {...root} view={view} />;
    }
    if (accepts(view, value) && view.kind === 'map') return <MapControl {...root} view={view} />;
    return (
      <>
        <label htmlFor={id}>arguments</label>
        <AnyControl {...root} view={{ kind: 'any', nullable: false, hints: [] }} />
      </>
    );
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
