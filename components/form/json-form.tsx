import { useId, useMemo, useState, useSyncExternalStore } from 'react';
import type { CompleteArgument } from '@/components/exchange/use-complete';
import { Button } from '@/components/ui/button';
import type { JsonPath } from '@/lib/json/edit';
import { accepts } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { View } from '@/lib/schema/view-types';
import { type ControlProps, FormProvider, type FormScope } from './form-context';
import { PartVisibility } from './form-state';
import { MapControl, ObjectControl } from './object-controls';
import { CONTROL_BY_KIND } from './registry';
import { AnyControl } from './text-controls';
import { UnionControl } from './union-control';
import type { DocumentState } from './use-document';

interface JsonFormProps {
  readonly schema: unknown;
  readonly document: DocumentState;
  /** The document's name: the member that holds it. */
  readonly what?: string;
  /** Shown if the schema has no properties. */
  readonly empty: string;
  readonly complete?: CompleteArgument;
  /** Titles are labels, and booleans are checkboxes. */
  readonly titles?: boolean;
  /** Whether a further field is asked for; undefined if a button asks for it. */
  readonly addsField?: boolean | undefined;
}

const ROOT: JsonPath = [];

/** Fields for a JSON document. A root that is not an object, map or union is one JSON box. */
export function JsonForm(props: JsonFormProps) {
  const { schema, document, what = 'arguments', empty, complete, titles = false, addsField } = props;
  const { parsed, edit, change, memory, problems, reveal, generation, readOnly = false } = document;
  const [visibility] = useState(() => new PartVisibility());
  const scope = useMemo(
    (): FormScope => ({
      root: schema,
      controls: CONTROL_BY_KIND,
      edit,
      change,
      memory,
      problems,
      reveal,
      visibility,
      generation,
      complete,
      readOnly,
      titles,
      addsField,
    }),
    [schema, edit, change, memory, problems, reveal, visibility, generation, complete, readOnly, titles, addsField],
  );
  const id = useId();
  const view = viewOf(schema, schema);
  const value = parsed.ok ? parsed.value : undefined;
  const root: Omit<ControlProps, 'view'> = {
    value,
    path: ROOT,
    label: what,
    required: false,
    depth: 0,
    id,
    describedBy: `${id}-about`,
    invalid: false,
    readOnly,
    onChange: (next) => change(ROOT, next),
    onBlur: () => undefined,
  };
  return (
    <FormProvider value={scope}>
      <div id={`${id}-about`}>
        <RootProblems problems={problems} />
        {!document.sent && (
          <p className="mb-2 flex items-center gap-2 text-muted">
            Sent without <code className="font-mono text-wire">{what}</code>
            {!readOnly && (
              <Button size="small" onClick={() => document.setText('{}')}>
                Send {'{}'}
              </Button>
            )}
          </p>
        )}
      </div>
      <RootFields {...root} view={view} what={what} empty={empty} />
    </FormProvider>
  );
}

/** The fields of the root value, which depend on its kind. */
function RootFields({ what, empty, ...root }: ControlProps & { readonly what: string; readonly empty: string }) {
  const { view, value, id } = root;
  if (accepts(view, value) && view.kind === 'object') {
    const nothing = view.properties.length === 0 && isEmpty(value);
    return (
      <>
        {nothing && <p className="mb-1 text-muted">{empty}</p>}
        <ObjectControl {...root} view={view} />
      </>
    );
  }
  if (accepts(view, value) && view.kind === 'map') {
    const free = view.others.schema === true && view.others.patterns.length === 0;
    return (
      <>
        {free && isEmpty(value) && <p className="mb-1 text-muted">No declared arguments</p>}
        <MapControl {...root} view={view} closed={free} />
      </>
    );
  }
  if (view.kind === 'union') return <UnionControl {...root} view={view} />;
  return (
    <div data-field="[]">
      <label htmlFor={id}>{what}</label>
      <AnyControl {...root} view={ANY} />
    </div>
  );
}

const ANY: View<'any'> = { kind: 'any', nullable: false, hints: [], examples: [] };

/** Problems of the document as a whole. */
function RootProblems({ problems }: Pick<DocumentState, 'problems'>) {
  const found = useSyncExternalStore(
    problems.subscribe,
    () => problems.problemsAt('[]'),
    () => problems.problemsAt('[]'),
  );
  return found.map(({ text, source }) => (
    <p key={text} className="mb-1 text-small text-error">
      ! {source === 'server' ? 'The server: ' : ''}
      {text}
    </p>
  ));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
