import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { FieldAbout, kindHint } from './field-about';
import { FieldButtons } from './field-buttons';
import type { FrameProps } from './frame-props';

/** A plain field: label, input, kind and bounds, buttons; below, what it is for. */
export function FieldFrame(props: FrameProps) {
  const { id, label, view, required, problem, note, bare, children } = props;
  if (bare) {
    return (
      <div>
        <label id={`${id}-label`} htmlFor={id} className="sr-only">
          {label}
        </label>
        {children}
        <FieldAbout id={id} view={view} label={label} problem={problem} />
      </div>
    );
  }
  return (
    <div className="grid min-w-0 grid-cols-[minmax(64px,120px)_minmax(0,1fr)] gap-x-2">
      <div className="min-w-0 pt-1">
        <label id={`${id}-label`} htmlFor={id} className="font-mono text-wire">
          <UntrustedText text={label} limit={120} />
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
            className="flex min-h-7 w-28 shrink-0 flex-wrap content-center gap-x-1 text-small leading-[14px] break-words text-muted"
            title={visibleText(kindHint(view))}
          >
            {kindHint(view)}
            {required && <span className="sr-only"> required</span>}
            {note !== undefined && <span className="text-warn"> {note}</span>}
          </span>
          <FieldButtons {...props} />
        </div>
        <FieldAbout id={id} view={view} label={label} problem={problem} />
      </div>
    </div>
  );
}
