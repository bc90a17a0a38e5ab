import { Button } from '@/components/ui/button';
import { useListFocus } from '@/components/ui/focus';
import { sameJson } from '@/lib/json/exact';
import { newItemValue, startValue } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import { MultiChoice } from './choice-controls';
import { FormField } from './field';
import { FieldParts } from './field-parts';
import { type ControlProps, useForm } from './form-context';

/** Up to this many choices are checkboxes. */
const MOST_BOXES = 24;

/** A list's items, with buttons to move, remove and add them. */
export function ArrayControl(props: ControlProps<'array'>) {
  const { view, value, path, label, depth, onChange } = props;
  const { root, reveal, readOnly } = useForm();
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const rows = useListFocus<HTMLDivElement>(items.length);
  const inner = viewOf(view.items, root);
  if (inner.kind === 'enum' && inner.options.length <= MOST_BOXES && isSubset(items, inner.options)) {
    return <MultiChoice {...props} items={items} options={inner.options} />;
  }
  return (
    <div className="flex min-w-0 flex-col gap-2 short:gap-0.5">
      <div ref={rows} className="contents">
        <FieldParts
          path={path}
          keys={[...items.keys()]}
          valueAt={(index) => items[index as number]}
          draw={(from, to) =>
            items.slice(from, to).map((item, at) => (
              <FormField
                // biome-ignore lint/suspicious/noArrayIndexKey: an item is its position
                key={at}
                name={from + at}
                label={`${label}[${from + at}]`}
                schema={view.items}
                value={item}
                parent={path}
                depth={depth + 1}
                last={from + at === items.length - 1}
              />
            ))
          }
        />
      </div>
      {!readOnly && (
        <div>
          <Button
            size="small"
            onClick={() => {
              onChange([...items, newItemValue(inner, root)]);
              reveal.revealField([...path, items.length], true);
            }}
          >
            Add item
          </Button>
        </div>
      )}
    </div>
  );
}

/** True if every item is a choice and none occurs twice, so that checkboxes can show them. */
function isSubset(items: readonly unknown[], options: readonly { readonly value: unknown }[]): boolean {
  return items.every(
    (item, index) =>
      options.some(({ value }) => sameJson(value, item)) && items.findIndex((other) => sameJson(other, item)) === index,
  );
}

/** A tuple: items with a schema each, then further items if there are any. */
export function TupleControl({ view, value, path, label, depth, onChange }: ControlProps<'tuple'>) {
  const { root, reveal, readOnly } = useForm();
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const places = Math.max(view.items.length, items.length);
  const schemaAt = (index: number) => (index < view.items.length ? view.items[index] : view.rest);
  return (
    <div className="flex min-w-0 flex-col gap-2 short:gap-0.5">
      <FieldParts
        path={path}
        keys={Array.from({ length: places }, (_, index) => index)}
        valueAt={(index) => items[index as number]}
        draw={(from, to) =>
          Array.from({ length: to - from }, (_, at) => {
            const index = from + at;
            return (
              <FormField
                key={index}
                name={index}
                label={viewOf(schemaAt(index), root).title ?? `${label}[${index}]`}
                schema={schemaAt(index)}
                value={items[index]}
                parent={path}
                depth={depth + 1}
                fixed
                last={index >= items.length - 1}
                note={index >= view.items.length && view.rest === false ? 'not in the schema' : undefined}
              />
            );
          })
        }
      />
      {!readOnly && (
        <div>
          <Button
            size="small"
            onClick={() => {
              onChange([...items, startValue(viewOf(schemaAt(items.length), root), root)]);
              reveal.revealField([...path, items.length], true);
            }}
          >
            Add item
          </Button>
        </div>
      )}
    </div>
  );
}
