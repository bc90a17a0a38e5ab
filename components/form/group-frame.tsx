import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { FieldAbout, kindHint } from './field-about';
import { FieldButtons } from './field-buttons';
import type { FrameProps } from './frame-props';

/** Required groups deeper than this are closed at first: a schema may require itself. */
const OPEN_DEPTH = 3;

/** A group of fields that opens and closes. Closed, it renders none of them. */
export function GroupFrame(props: FrameProps) {
  const { id, label, view, value, required, depth, problem, note, bare, onSet, children } = props;
  const [open, setOpen] = useState(value !== undefined || (required && depth < OPEN_DEPTH));
  const empty = value === undefined || value === null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: nested fieldsets are slow to lay out
    <div role="group" aria-labelledby={`${id}-label`} className="min-w-0">
      <div className="flex min-w-0 items-center gap-1">
        <button
          type="button"
          id={id}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-7 min-w-0 items-center gap-1 rounded-sm text-left hover:bg-text/6"
        >
          <span aria-hidden="true" className="w-4 text-center text-muted">
            {open ? '▾' : '▸'}
          </span>
          <span id={`${id}-label`} className="min-w-0 font-mono text-wire">
            <UntrustedText text={label} limit={120} />
          </span>
          {required && (
            <span aria-hidden="true" title="required" className="text-error">
              *
            </span>
          )}
        </button>
        <span className="truncate text-small text-muted">
          {kindHint(view)}
          {required && <span className="sr-only"> required</span>}
          {value === undefined && ' · not sent'}
          {value === null && ' · null'}
          {note !== undefined && <span className="text-warn"> {note}</span>}
        </span>
        {empty && (
          <Button
            size="small"
            variant="ghost"
            aria-describedby={`${id}-label`}
            onClick={() => {
              onSet();
              setOpen(true);
            }}
          >
            Set
          </Button>
        )}
        {!bare && <FieldButtons {...props} />}
      </div>
      <div className="ml-2 border-l border-line pl-3">
        <FieldAbout id={id} view={view} label={label} problem={problem} />
        {open && <div className="pt-1">{children}</div>}
      </div>
    </div>
  );
}
