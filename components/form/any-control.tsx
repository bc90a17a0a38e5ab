import { useMemo, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { FIELD } from '@/components/ui/inputs';
import { sameJson, stringifyJson, tryParseJson } from '@/lib/json/exact';
import { formatBytes } from '@/lib/wire/format';
import { aria, type ControlProps } from './form-context';
import { ghostText } from './labels';

/** What text in a JSON box stands for: its value, or itself when it is no JSON. Nothing typed is dropped. */
function read(text: string): unknown {
  if (text.trim() === '') return undefined;
  const parsed = tryParseJson(text);
  return parsed.ok ? parsed.value : text;
}

function write(value: unknown): string {
  if (value === undefined) return '';
  try {
    return stringifyJson(value, 2);
  } catch {
    return '';
  }
}

/** Whether a draft says what is sent. An item that was cleared is null: the empty box says so. */
export function draftMatches(draft: string, value: unknown): boolean {
  const said = read(draft);
  if (value === undefined || said === undefined) return said === (value ?? undefined);
  return sameJson(said, value);
}

/** A longer text is not put into a text box: typing in one would stall. */
const LONGEST_EDITED = 100_000;

/** Any JSON, typed as JSON. */
export function AnyControl(props: ControlProps<'any'>) {
  const { view, value, id, readOnly, onChange, onBlur } = props;
  const written = useMemo(() => write(value), [value]);
  const [draft, setDraft] = useState(written);
  const stands = draftMatches(draft, value);
  const text = stands ? draft : written;
  const asText = text.trim() !== '' && !tryParseJson(text).ok;
  if (written.length > LONGEST_EDITED) {
    return (
      <p id={id} className="flex min-h-7 items-center text-muted">
        {formatBytes(written.length)} of JSON: {readOnly ? 'read' : 'edit'} it under JSON.
      </p>
    );
  }
  return (
    <div>
      <textarea
        id={id}
        rows={1}
        value={text}
        placeholder={ghostText(view, value) ?? 'JSON'}
        onChange={(event) => {
          setDraft(event.target.value);
          onChange(read(event.target.value));
        }}
        onBlur={onBlur}
        {...aria({ ...props, invalid: props.invalid || asText })}
        spellCheck={false}
        autoComplete="off"
        className={classNames(
          FIELD,
          'block h-auto max-h-64 min-h-7 resize-none py-[4px] font-mono text-wire leading-[18px] field-sizing-content',
        )}
      />
      {asText && <p className="text-small text-warn">! Not JSON: sent as a string.</p>}
    </div>
  );
}
