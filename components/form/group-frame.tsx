import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { FieldAbout, kindHint } from './field-about';
import { FieldButtons } from './field-buttons';
import { useForm } from './form-context';
import type { FrameProps } from './frame-props';
import { ghostText } from './ghost';
import { NullButton } from './null-button';

/** Required groups deeper than this are closed at first: a schema may require itself. */
const OPEN_DEPTH = 3;

/** A group of fields that opens and closes. Closed, it renders none of them. */
export function GroupFrame(props: FrameProps) {
  const { id, fieldKey, path, label, view, value, required, depth, problems, note, bare, onStart, children } = props;
  const { problems: board, reveal, readOnly } = useForm();
  const [toggled, setToggled] = useState<boolean>();
  const empty = value === undefined || value === null;
  const open = toggled ?? (value === undefined ? required && depth < OPEN_DEPTH : value !== null);
  const inside = useSyncExternalStore(board.subscribe, () => board.under(fieldKey), zero);
  useEffect(() => reveal.within(path, () => setToggled(true)), [reveal, path]);
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
          <span id={`${id}-label`} className="min-w-0 truncate font-mono text-wire">
            <UntrustedText text={label} limit={120} />
          </span>
          {required && (
            <span aria-hidden="true" title="required" className="text-error">
              *
            </span>
          )}
        </button>
        <span className="min-w-0 flex-1 truncate text-small text-muted">
          {kindHint(view)} <NullButton {...props} />
          {required && <span className="sr-only"> required</span>}
          {value === undefined && (problems.length > 0 ? <span className="text-warn"> · missing</span> : ' · not sent')}
          {value === undefined && view.default !== undefined && ` · ${ghostText(view, undefined)}`}
          {value === null && !view.nullable && ' · null'}
          {Array.isArray(value) && ` · ${value.length}`}
          {!open && inside > 0 && <span className="text-warn"> · ! {inside} within</span>}
          {note !== undefined && <span className="text-warn"> {note}</span>}
        </span>
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
            Set
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

function zero(): number {
  return 0;
}
