import { Button } from '@/components/ui/button';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { startValue } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { ControlProps } from './control';
import { Field } from './field';
import { useForm } from './form-context';
import { useShownCount } from './use-shown-count';

/** A list's items, each with a button that takes it out, and one that adds another. */
export function ArrayControl({ view, value, path, label, depth, onChange }: ControlProps<'array'>) {
  const { root } = useForm();
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const [shown, more] = useShownCount(items.length);
  const rows = useKeptFocus<HTMLDivElement>(items.length);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div ref={rows} className="contents">
        {items.slice(0, shown).map((item, index) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is what stands at its place
            key={index}
            name={index}
            label={`${label}[${index}]`}
            schema={view.items}
            value={item}
            parent={path}
            depth={depth + 1}
          />
        ))}
      </div>
      {more}
      <div>
        <Button size="small" onClick={() => onChange([...items, startValue(viewOf(view.items, root))])}>
          Add item
        </Button>
      </div>
    </div>
  );
}
