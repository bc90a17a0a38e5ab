import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { Chevron } from '@/components/ui/icon';
import { isCheckbox } from './choice-controls';
import { FieldButtons, NullButton } from './field-buttons';
import { FieldAbout, FieldErrors, FieldName, kindHint, kindNoun } from './field-text';
import { type FieldViewProps, useForm } from './form-context';

/** A plain field: its name above its input, and below them type, description and problems. */
export function PlainField(props: FieldViewProps) {
  const { id, fieldKey, label, view, value, required, problems, note, bare, raw, item, children } = props;
  const { root, titles } = useForm();
  if (bare || item) return <RowField {...props} />;
  // A checkbox stands before its name.
  const isBox = isCheckbox(props, titles) && !raw && (value === undefined || typeof value === 'boolean');
  return (
    <div data-field={fieldKey} data-required={required || undefined} className="hover-row plain-field">
      <div className="flex min-h-6 min-w-0 items-center gap-x-1.5 short:min-h-[18px]">
        {isBox && children}
        <label htmlFor={id} className="min-w-0">
          <FieldName id={`${id}-label`} text={label} required={required} />
        </label>
        <NullButton {...props} />
        {note !== undefined && <span className="text-small text-warn">{note}</span>}
      </div>
      {!isBox && <div className="col-span-3 row-start-2 min-w-0">{children}</div>}
      <FieldButtons {...props} />
      <div id={`${id}-about`} className="contents">
        <FieldAbout view={view} label={label} hint={kindHint(view, root)} />
        <FieldErrors label={label} problems={problems} />
      </div>
    </div>
  );
}

/** A field in a row: an item after its index, or a map's value, whose name and buttons the map draws. */
function RowField(props: FieldViewProps) {
  const { id, fieldKey, path, label, view, value, problems, note, item, onSet, children } = props;
  const { readOnly } = useForm();
  return (
    <div data-field={fieldKey} className="hover-row min-w-0 max-w-[640px]">
      <label id={`${id}-label`} htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="flex min-w-0 items-start gap-1">
        {item && (
          <span aria-hidden="true" className="tabular min-w-5 pt-[5px] font-mono text-wire text-muted">
            {path.at(-1)}
          </span>
        )}
        <div className="min-w-0 flex-1">{children}</div>
        {!item && !readOnly && value === undefined && view.kind === 'string' && (
          <Button size="small" className="mt-0.5" onClick={() => onSet('')}>
            Set &quot;&quot;
          </Button>
        )}
        <NullButton {...props} />
        {item && <FieldButtons {...props} />}
      </div>
      <div id={`${id}-about`}>
        {note !== undefined && <p className="text-small text-warn">{note}</p>}
        <FieldErrors label={label} problems={problems} />
      </div>
    </div>
  );
}

/** Number of unset groups, one in another, that are open at first. A recursive schema may require endlessly many. */
const OPEN_DEPTH = 5;

/** A group of fields that opens and closes. A closed one renders no fields. */
export function FieldGroup(props: FieldViewProps) {
  const { id, fieldKey, path, label, view, value, required, depth, problems, bare, onStart, children } = props;
  const { reveal, readOnly } = useForm();
  const [toggled, setToggled] = useState<boolean>();
  const empty = value === undefined || value === null;
  const open = toggled ?? (value === undefined ? required && depth <= OPEN_DEPTH : value !== null);
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
      <div className="hover-row flex min-w-0 items-center gap-1">
        <button
          type="button"
          id={id}
          aria-expanded={open}
          aria-describedby={`${id}-about`}
          onClick={() => setToggled(!open)}
          className="flex min-h-6 min-w-0 items-center gap-1 rounded-sm text-left hover:bg-text/6"
        >
          <Chevron open={open} />
          <FieldName id={`${id}-label`} text={label} required={required} />
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
        <div id={`${id}-about`}>
          <FieldAbout view={view} label={label} hint="" />
          <FieldErrors label={label} problems={problems} />
        </div>
        {open && <div className="pt-1">{children}</div>}
      </div>
    </div>
  );
}

/** A group's type, and its state in words: not sent, its length, or problems inside. */
function GroupFacts(props: FieldViewProps & { readonly open: boolean }) {
  const { fieldKey, view, value, required, note, open } = props;
  const { root, problems: board } = useForm();
  const inside = useSyncExternalStore(board.subscribe, () => board.countUnder(fieldKey), zero);
  return (
    // Cut before the name is.
    <span className="flex min-w-0 shrink-1000 items-center gap-1 text-small text-muted">
      <span className="min-w-0 truncate">
        {kindHint(view, root)}
        {required && <span className="sr-only"> required</span>}
        {value === undefined && ' · not sent'}
        {value === null && ' · null'}
        {Array.isArray(value) && ` · ${value.length}`}
        {!open && inside > 0 && <span className="text-error"> · ! {inside} inside</span>}
        {note !== undefined && <span className="text-warn"> {note}</span>}
      </span>
      <NullButton {...props} />
    </span>
  );
}

function zero(): number {
  return 0;
}
