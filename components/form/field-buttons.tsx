import type { ReactNode } from 'react';
import { IconButton } from '@/components/ui/button';
import { Menu, type MenuItem } from '@/components/ui/menu';
import type { Edit, Path } from '@/lib/json/edit';
import { typeName } from '@/lib/schema/values';
import type { View } from '@/lib/schema/view-types';
import { focusField } from './field-focus';
import type { FieldProblem } from './field-problems';
import { useForm } from './form-context';
import { chooseFile, type FileForm } from './insert-file';
import { brief } from './labels';

/** What stands around an input: a plain field's frame and a group's get the same. */
export interface FieldViewProps {
  readonly id: string;
  /** The path as a key: what finds the field in the page. */
  readonly fieldKey: string;
  readonly path: Path;
  readonly label: string;
  readonly view: View;
  readonly value: unknown;
  readonly required: boolean;
  readonly depth: number;
  readonly problems: readonly FieldProblem[];
  readonly note: string | undefined;
  readonly bare: boolean;
  /** True for items of arrays, which are removed and moved and not unset. */
  readonly item: boolean;
  readonly last: boolean;
  /** Shown as JSON because the user asked for it. */
  readonly raw: boolean;
  readonly onRaw: (raw: boolean) => void;
  readonly onSet: (value: unknown) => void;
  /** Absent while there is nothing to take away. */
  readonly onUnset: (() => void) | undefined;
  /** Makes the value null, or no longer. */
  readonly onNull: () => void;
  /** Puts the kind's plainest value in. */
  readonly onStart: () => void;
  readonly children: ReactNode;
}

/** × to take the value away, arrows to move an item, and what else can be done. */
export function FieldButtons(props: FieldViewProps) {
  const { id, path, item, last, onUnset } = props;
  const { edit, readOnly } = useForm();
  if (readOnly) return null;
  const move = (by: number) => {
    const from = path.at(-1) as number;
    edit({ type: 'move', path: path.slice(0, -1), from, to: from + by });
    focusField([...path.slice(0, -1), from + by]);
  };
  return (
    // As wide as it gets: an input must not move when its value can be taken away.
    <div className={`flex min-h-7 shrink-0 items-center justify-end ${item ? 'min-w-24' : 'min-w-12'}`}>
      {item && (path.at(-1) as number) > 0 && (
        <IconButton label="Move up" aria-describedby={`${id}-label`} onClick={() => move(-1)}>
          ↑
        </IconButton>
      )}
      {item && !last && (
        <IconButton label="Move down" aria-describedby={`${id}-label`} onClick={() => move(1)}>
          ↓
        </IconButton>
      )}
      {onUnset && (
        <IconButton label={item ? 'Remove' : 'Unset'} aria-describedby={`${id}-label`} onClick={onUnset}>
          ×
        </IconButton>
      )}
      <Menu label="More" describedBy={`${id}-label`} items={() => fieldActions(props, edit)}>
        ⋯
      </Menu>
    </div>
  );
}

/** Examples offered in a menu: the server may give any number. */
const MOST_EXAMPLES = 8;

const FILE_FORMS: readonly (readonly [form: FileForm, label: string])[] = [
  ['base64', 'Insert a file as base64…'],
  ['data-uri', 'Insert a file as data: URI…'],
  ['text', 'Insert a file as text…'],
];

/** What can be done with a field besides typing in it: examples, files, and every way to get it wrong on purpose. */
function fieldActions(props: FieldViewProps, edit: (edit: Edit) => void): readonly MenuItem[] {
  const { view, value, path, raw, item, bare, onSet, onRaw, onUnset } = props;
  const name = path.at(-1);
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
    { label: `Wrong type: ${brief(wrongType(value, view.kind))}`, run: () => onSet(wrongType(value, view.kind)) },
    { label: raw ? 'Edit as a field' : 'Edit as JSON', run: () => onRaw(!raw) },
    typeof name === 'string' &&
      !bare && {
        label: 'Copy to an unknown property',
        run: () => edit({ type: 'set', path: [...path.slice(0, -1), `${name}_copy`], value: value ?? null }),
      },
    onUnset && { label: item ? 'Remove' : 'Unset: do not send it', run: onUnset },
  ];
  return items.filter((each) => each !== undefined && each !== false);
}

function takesText(kind: string): boolean {
  return kind === 'string' || kind === 'union' || kind === 'any';
}

/** A value of a type that the field does not have. */
function wrongType(value: unknown, kind: string): unknown {
  const textual = kind === 'string' || kind === 'enum' || kind === 'const' || typeName(value) === 'string';
  return textual ? 12345 : 'wrong type';
}

type NullButtonProps = Pick<FieldViewProps, 'id' | 'view' | 'value' | 'onNull'>;

/** `or null`, where the schema allows it: pressed while null is sent. A list of choices has it as a choice. */
export function NullButton({ id, view, value, onNull }: NullButtonProps) {
  const { readOnly } = useForm();
  if (readOnly) return value === null && ' null';
  if (!view.nullable || view.kind === 'enum' || view.kind === 'boolean') return null;
  if (view.kind === 'const' && view.value === null) return null;
  return (
    <span className="inline-flex items-center gap-1">
      or
      <button
        type="button"
        aria-pressed={value === null}
        aria-describedby={`${id}-label`}
        onClick={onNull}
        className="rounded border border-line px-1 leading-[14px] hover:border-control aria-pressed:border-accent aria-pressed:bg-accent/15 aria-pressed:text-text"
      >
        null
      </button>
    </span>
  );
}
