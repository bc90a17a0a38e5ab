import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { FIELD } from '@/components/ui/field';
import { formatCount } from '@/components/ui/format';
import type { ControlProps } from './control';
import { ghostText } from './ghost';

/** A longer text is not put into a text box: typing in one would stall. */
const LONGEST_EDITED = 200_000;

/** Text: one line that grows with what is in it. A date and time stays text, so that zone and seconds are what was typed. */
export function StringControl({ view, value, id, describedBy, invalid, onChange }: ControlProps<'string'>) {
  const text = typeof value === 'string' ? value : '';
  if (text.length > LONGEST_EDITED) {
    return (
      <p id={id} className="flex items-center gap-2 text-muted">
        {formatCount(text.length)} characters: edit them as JSON.
      </p>
    );
  }
  return (
    <div className="flex items-start gap-1">
      <textarea
        id={id}
        rows={1}
        value={text}
        placeholder={ghostText(view, value)}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={classNames(FIELD, 'block h-auto max-h-64 min-h-7 resize-none py-[3px] field-sizing-content')}
      />
      {view.format === 'date-time' && (
        <Button size="small" className="mt-[3px]" onClick={() => onChange(new Date().toISOString())}>
          Now
        </Button>
      )}
    </div>
  );
}
