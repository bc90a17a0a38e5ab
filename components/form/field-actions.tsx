import type { MenuItem } from '@/components/ui/menu-list';
import type { Edit } from '@/lib/schema/json-edit';
import { typeName } from '@/lib/schema/values';
import type { FrameProps } from './frame-props';
import { brief } from './ghost';
import { chooseFile, type FileForm } from './insert-file';

/** Examples offered in a menu: the server may give any number. */
const MOST_EXAMPLES = 8;

const FILE_FORMS: readonly (readonly [form: FileForm, label: string])[] = [
  ['base64', 'Insert a file as base64…'],
  ['data-uri', 'Insert a file as data: URI…'],
  ['text', 'Insert a file as text…'],
];

/** What can be done with a field besides typing in it: examples, files, and every way to get it wrong on purpose. */
export function fieldActions(props: FrameProps, edit: (edit: Edit) => void): readonly MenuItem[] {
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
    { label: 'null', apart: true, run: () => onSet(null) },
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
