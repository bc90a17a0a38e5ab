import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import type { MenuItem } from '@/components/ui/menu-list';
import type { Edit } from '@/lib/json/edit';
import { typeName } from '@/lib/schema/values';
import { type FieldViewProps, useForm } from './form-context';
import { focusField } from './form-state';
import { chooseFile, type FileForm } from './insert-file';
import { brief } from './labels';

/**
 * A button to unset the value or remove the item, and a menu with the other actions. Shown on hover and focus. Tab goes
 * from field to field: Alt+↓ opens the menu.
 */
export function FieldButtons(props: FieldViewProps) {
  const { id, item, onUnset } = props;
  const { edit, readOnly } = useForm();
  if (readOnly) return null;
  return (
    <div className="field-buttons">
      {onUnset && (
        // The menu does the same.
        <IconButton label={item ? 'Remove' : 'Unset'} aria-describedby={`${id}-label`} tabIndex={-1} onClick={onUnset}>
          ×
        </IconButton>
      )}
      <Menu label="More" tabIndex={-1} describedBy={`${id}-label`} items={() => fieldActions(props, edit)}>
        <Icon name="more" />
      </Menu>
    </div>
  );
}

/** Examples listed in the menu: a server may give any number. */
const MOST_EXAMPLES = 8;

const FILE_FORMS: readonly (readonly [form: FileForm, label: string])[] = [
  ['base64', 'Insert file as base64…'],
  ['data-uri', 'Insert file as data: URI…'],
  ['text', 'Insert file as text…'],
];

/** Returns a field's actions: defaults, examples, files, and wrong values to test the server with. */
function fieldActions(props: FieldViewProps, edit: (edit: Edit) => void): readonly MenuItem[] {
  const { view, value, path, raw, item, last, bare, onSet, onRaw, onUnset } = props;
  const name = path.at(-1);
  const move = (by: number) => {
    const from = name as number;
    edit({ type: 'move', path: path.slice(0, -1), from, to: from + by });
    focusField([...path.slice(0, -1), from + by]);
  };
  const items: (MenuItem | false | undefined)[] = [
    view.default && { label: `Default: ${brief(view.default.value)}`, run: () => onSet(view.default!.value) },
    ...view.examples.slice(0, MOST_EXAMPLES).map((example) => ({
      label: `Example: ${brief(example)}`,
      run: () => onSet(example),
    })),
    ...(takesText(view.kind)
      ? FILE_FORMS.map(([form, label]) => ({
          label,
          run: () => void chooseFile(form).then((text) => text !== undefined && onSet(text)),
        }))
      : []),
    ...(takesText(view.kind) ? [{ label: 'Now, as date-time', run: () => onSet(new Date().toISOString()) }] : []),
    { label: 'null', separatorBefore: true, run: () => onSet(null) },
    takesText(view.kind) && { label: 'Empty string ""', run: () => onSet('') },
    {
      label: `Set a wrong type: ${brief(wrongType(value, view.kind))}`,
      run: () => onSet(wrongType(value, view.kind)),
    },
    { label: raw ? 'Edit as a field' : 'Edit as JSON', run: () => onRaw(!raw) },
    typeof name === 'string' &&
      !bare && {
        label: 'Copy to an unknown property',
        run: () => edit({ type: 'set', path: [...path.slice(0, -1), `${name}_copy`], value: value ?? null }),
      },
    item && (name as number) > 0 && { label: 'Move up', run: () => move(-1) },
    item && !last && { label: 'Move down', run: () => move(1) },
    onUnset && { label: item ? 'Remove' : 'Unset, do not send', run: onUnset },
  ];
  return items.filter((each) => each !== undefined && each !== false);
}

function takesText(kind: string): boolean {
  return kind === 'string' || kind === 'union' || kind === 'any';
}

/** Returns a value of another type than the field's. */
function wrongType(value: unknown, kind: string): unknown {
  const textual = kind === 'string' || kind === 'enum' || kind === 'const' || typeName(value) === 'string';
  return textual ? 12345 : 'wrong type';
}

type NullButtonProps = Pick<FieldViewProps, 'id' | 'view' | 'value' | 'onNull'>;

/** The `or null` button, if the schema allows null. Lists of choices have null as a choice instead. */
export function NullButton({ id, view, value, onNull }: NullButtonProps) {
  const { readOnly } = useForm();
  if (readOnly) return null;
  if (!view.nullable || view.kind === 'enum' || view.kind === 'boolean') return null;
  if (view.kind === 'const' && view.value === null) return null;
  return (
    <button
      type="button"
      title="Send null"
      aria-pressed={value === null}
      aria-describedby={`${id}-label`}
      onClick={onNull}
      className="h-6 shrink-0 rounded border border-line px-1.5 text-small text-muted hover:border-control aria-pressed:border-accent aria-pressed:bg-accent/15 aria-pressed:text-text short:-my-[3px]"
    >
      null
    </button>
  );
}
