import type { ReactNode } from 'react';
import { Fragment, useEffect, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, type MenuItem } from '@/components/ui/menu';
import { visibleText } from '@/components/ui/visible-text';
import { TextRuns, UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Edit, Path } from '@/lib/json/edit';
import { typeName } from '@/lib/schema/values';
import type { View } from '@/lib/schema/view-types';
import { useForm } from './form-context';
import type { FieldProblem } from './form-state';
import { focusField } from './form-state';
import { chooseFile, type FileForm } from './insert-file';
import { brief, ghostText } from './labels';

/** A plain field: label, input, type and limits, buttons, and below them its description and problems. */
export function PlainField(props: FieldViewProps) {
  const { id, fieldKey, label, view, required, problems, note, bare, children } = props;
  const { titles } = useForm();
  if (bare) {
    return (
      <div data-field={fieldKey}>
        <label id={`${id}-label`} htmlFor={id} className="sr-only">
          {label}
        </label>
        {children}
        <FieldAbout id={id} view={view} label={label} problems={problems} />
      </div>
    );
  }
  const missing = problems.some(({ source }) => source === 'missing');
  const hint = kindHint(view);
  return (
    <div
      data-field={fieldKey}
      data-required={required || undefined}
      className="grid min-w-0 grid-cols-[minmax(64px,96px)_minmax(0,1fr)] @lg:grid-cols-[minmax(72px,136px)_minmax(0,1fr)] gap-x-2"
    >
      <div className="min-w-0 pt-1 break-words">
        <label id={`${id}-label`} htmlFor={id} className={titles ? undefined : 'font-mono text-wire'}>
          <FieldName text={label} />
        </label>
        {required && (
          <span aria-hidden="true" title="required" className="text-error">
            {' '}
            *
          </span>
        )}
      </div>
      <div className="min-w-0">
        <div className="flex min-w-0 items-start gap-1">
          <div className="min-w-0 flex-1">{children}</div>
          <span
            className="flex min-h-7 w-20 shrink-0 @lg:w-24 flex-wrap content-center items-center gap-x-1 overflow-hidden text-small leading-[14px] break-words text-muted"
            title={visibleText(hint)}
          >
            {hint}
            <NullButton {...props} />
            {required && <span className="sr-only"> required</span>}
            {missing && <span className="text-warn"> missing</span>}
            {note !== undefined && <span className="text-warn"> {note}</span>}
          </span>
          <FieldButtons {...props} />
        </div>
        <FieldAbout id={id} view={view} label={label} problems={problems} />
      </div>
    </div>
  );
}

/** Number of levels of required groups that are open at first. A recursive schema may require endlessly many. */
const OPEN_DEPTH = 3;

/** A group of fields that opens and closes. A closed one renders no fields. */
export function FieldGroup(props: FieldViewProps) {
  const { id, fieldKey, path, label, view, value, required, depth, problems, bare, onStart, children } = props;
  const { reveal, readOnly, titles } = useForm();
  const [toggled, setToggled] = useState<boolean>();
  const empty = value === undefined || value === null;
  const open = toggled ?? (value === undefined ? required && depth < OPEN_DEPTH : value !== null);
  useEffect(() => reveal.onReveal(path, () => setToggled(true)), [reveal, path]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: nested fieldsets are slow to lay out
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      data-field={fieldKey}
      data-required={required || undefined}
      className="min-w-0"
    >
      <div className="flex min-w-0 items-center gap-1">
        <button
          type="button"
          id={id}
          aria-expanded={open}
          aria-describedby={`${id}-about`}
          onClick={() => setToggled(!open)}
          className="flex min-h-7 min-w-0 items-center gap-1 rounded-sm text-left hover:bg-text/6"
        >
          <span aria-hidden="true" className="-ml-1 w-4 shrink-0 text-center text-muted">
            {open ? '▾' : '▸'}
          </span>
          <span id={`${id}-label`} className={`min-w-0 truncate ${titles ? '' : 'font-mono text-wire'}`}>
            <UntrustedText text={label} limit={120} />
          </span>
          {required && (
            <span aria-hidden="true" title="required" className="text-error">
              *
            </span>
          )}
        </button>
        <GroupFacts {...props} open={open} />
        {empty && !readOnly && (
          <Button
            size="small"
            variant="ghost"
            aria-describedby={`${id}-label`}
            onClick={() => {
              onStart();
              setToggled(true);
            }}
          >
            Set {kindNoun(view)}
          </Button>
        )}
        {!bare && <FieldButtons {...props} />}
      </div>
      <div className="ml-[3px] border-l border-line pl-3">
        <FieldAbout id={id} view={view} label={label} problems={problems} />
        {open && <div className="pt-1">{children}</div>}
      </div>
    </div>
  );
}

/** A group's type, and its state in words: not sent, its length, or problems inside. */
function GroupFacts(props: FieldViewProps & { readonly open: boolean }) {
  const { fieldKey, view, value, required, problems, note, open } = props;
  const { problems: board } = useForm();
  const inside = useSyncExternalStore(board.subscribe, () => board.countUnder(fieldKey), zero);
  return (
    <span className="min-w-0 flex-1 truncate text-small text-muted">
      {kindHint(view)} <NullButton {...props} />
      {required && <span className="sr-only"> required</span>}
      {value === undefined && (problems.length > 0 ? <span className="text-warn"> · missing</span> : ' · not sent')}
      {value === undefined && view.default !== undefined && ` · ${ghostText(view, undefined)}`}
      {value === null && !view.nullable && ' · null'}
      {Array.isArray(value) && ` · ${value.length}`}
      {!open && inside > 0 && <span className="text-warn"> · ! {inside} inside</span>}
      {note !== undefined && <span className="text-warn"> {note}</span>}
    </span>
  );
}

function zero(): number {
  return 0;
}

/** Characters of a name that always fit on a line. */
const SHORT = 12;

/** Matches before a capital after a small letter, and after a separator. */
const SEAMS = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[._/:-])(?=[^._/:-])/u;

/** A property's name. A long one breaks between its words: `created|Date|Time`. */
function FieldName({ text }: { readonly text: string }) {
  if (text.length <= SHORT || text.length > 120) return <UntrustedText text={text} limit={120} />;
  return (
    <bdi className="break-words">
      {text.split(SEAMS).map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words of a name do not move
        <Fragment key={index}>
          {index > 0 && <wbr />}
          <TextRuns text={word} />
        </Fragment>
      ))}
    </bdi>
  );
}

/** Characters of a description that are shown: about two lines. */
const DESCRIPTION = 240;

/** Problems shown for one field. */
const MOST_PROBLEMS = 5;

/** Why a field is edited as JSON. */
const JSON_REASONS: Readonly<Record<string, string>> = {
  reference: 'Edited as JSON: its $ref is not in this schema',
  circle: 'Edited as JSON: its schema refers to itself endlessly',
  'too-large': 'Edited as JSON: its schema is too large',
  malformed: 'Edited as JSON: its schema is malformed',
  contradiction: 'Edited as JSON: its schema requires two types at once',
  'unknown-type': 'Edited as JSON: its schema has an unknown type',
  never: 'Edited as JSON: its schema allows no value',
};

interface FieldAboutProps {
  readonly id: string;
  readonly view: View;
  readonly label: string;
  readonly problems: readonly FieldProblem[];
}

/** A field's problems, title and description. */
function FieldAbout({ id, view, label, problems }: FieldAboutProps) {
  const title = view.title !== undefined && plainName(view.title) !== plainName(label) ? view.title : undefined;
  const reason = view.kind === 'any' ? view.because : undefined;
  const said = problems.filter(({ source }) => source !== 'missing');
  return (
    <div id={`${id}-about`} className="text-small text-muted">
      {said.slice(0, MOST_PROBLEMS).map(({ text, source }) => (
        <p key={text} className="break-words text-warn">
          ! {source === 'server' && 'The server: '}
          <UntrustedText text={text} limit={400} />
        </p>
      ))}
      {said.length > MOST_PROBLEMS && <p className="text-warn">and {said.length - MOST_PROBLEMS} more</p>}
      {problems.some(({ source }) => source === 'missing') && <p className="sr-only">Required and not set</p>}
      {reason !== undefined && <p>{JSON_REASONS[reason]}</p>}
      {title !== undefined && (
        <p>
          <UntrustedText text={title} limit={DESCRIPTION} />
        </p>
      )}
      {view.description !== undefined && (
        <p className="whitespace-pre-line">
          <UntrustedText text={view.description} limit={DESCRIPTION} />
        </p>
      )}
      {view.header !== undefined && (
        <p>
          Also sent as the HTTP header{' '}
          <UntrustedText text={`Mcp-Param-${view.header}`} limit={80} className="font-mono" />
        </p>
      )}
    </div>
  );
}

/** Returns a name without case and separators. Generators title `max_items` as `Max Items`, which adds nothing. */
function plainName(name: string): string {
  return name.replace(/[\s_.-]/g, '').toLowerCase();
}

const KIND_LABELS: Readonly<Record<string, string>> = { any: 'JSON', map: 'object', tuple: 'array', union: 'one of' };

/** Returns what the `Set` button of a group sets: `object`, `array` or, of several kinds, `value`. */
function kindNoun({ kind }: View): string {
  return kind === 'union' ? 'value' : (KIND_LABELS[kind] ?? kind);
}

/** Returns a field's type and limits: `integer ≥ 1 ≤ 9`. */
function kindHint(view: View): string {
  const count = view.kind === 'union' ? ` ${view.branches.length}` : '';
  return [`${KIND_LABELS[view.kind] ?? view.kind}${count}`, ...view.hints].join(' ');
}

/** The props of a field's frame, plain or group. */
export interface FieldViewProps {
  readonly id: string;
  /** The path as a string, to find the field in the page. */
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
  /** True for array items, which are removed and moved instead of unset. */
  readonly item: boolean;
  readonly last: boolean;
  /** True if the user chose to edit the value as JSON. */
  readonly raw: boolean;
  readonly onRaw: (raw: boolean) => void;
  readonly onSet: (value: unknown) => void;
  /** undefined while the field is not set. */
  readonly onUnset: (() => void) | undefined;
  /** Toggles between null and a value. */
  readonly onNull: () => void;
  /** Sets the kind's simplest value. */
  readonly onStart: () => void;
  readonly children: ReactNode;
}

/** Buttons to unset the value and to move an item, and a menu with the other actions. */
function FieldButtons(props: FieldViewProps) {
  const { id, path, item, last, onUnset } = props;
  const { edit, readOnly } = useForm();
  if (readOnly) return null;
  const move = (by: number) => {
    const from = path.at(-1) as number;
    edit({ type: 'move', path: path.slice(0, -1), from, to: from + by });
    focusField([...path.slice(0, -1), from + by]);
  };
  return (
    // Reserves room for all buttons, so that the input does not move when a button appears.
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

/** Examples listed in the menu: a server may give any number. */
const MOST_EXAMPLES = 8;

const FILE_FORMS: readonly (readonly [form: FileForm, label: string])[] = [
  ['base64', 'Insert file as base64…'],
  ['data-uri', 'Insert file as data: URI…'],
  ['text', 'Insert file as text…'],
];

/** Returns a field's actions: defaults, examples, files, and wrong values to test the server with. */
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
function NullButton({ id, view, value, onNull }: NullButtonProps) {
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
