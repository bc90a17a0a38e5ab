import { Button } from '@/components/ui/button';
import { startValue } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { ControlProps } from './control';
import { Field } from './field';
import { FieldParts } from './field-parts';
import { useForm } from './form-context';

/** A list whose places mean different things; behind them more items, where the schema allows them or they are there. */
export function TupleControl({ view, value, path, label, depth, onChange }: ControlProps<'tuple'>) {
  const { root, readOnly } = useForm();
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const places = Math.max(view.items.length, items.length);
  const schemaAt = (index: number) => (index < view.items.length ? view.items[index] : view.rest);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <FieldParts
        path={path}
        keys={Array.from({ length: places }, (_, index) => index)}
        valueAt={(index) => items[index as number]}
        draw={(from, to) =>
          Array.from({ length: to - from }, (_, at) => {
            const index = from + at;
            return (
              <Field
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
            onClick={() => onChange([...items, startValue(viewOf(schemaAt(items.length), root), root)])}
          >
            Add item
          </Button>
        </div>
      )}
    </div>
  );
}
