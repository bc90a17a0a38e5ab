import { visibleText } from '@/components/ui/visible-text';
import { FieldAbout, kindHint } from './field-about';
import { FieldButtons } from './field-buttons';
import { FieldName } from './field-name';
import type { FrameProps } from './frame-props';
import { NullButton } from './null-button';

/** A plain field: label, input, kind and bounds, buttons; below, what it is for. */
export function FieldFrame(props: FrameProps) {
  const { id, fieldKey, label, view, required, problems, note, bare, children } = props;
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
        <label id={`${id}-label`} htmlFor={id} className="font-mono text-wire">
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
