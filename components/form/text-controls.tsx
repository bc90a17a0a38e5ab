import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { FIELD, TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { readNumber, sameJson, writeNumber } from '@/lib/json/exact';
import { formatBytes } from '@/lib/wire/format';
import { aria, type ControlProps, useForm } from './form-context';
import { chooseFile, type FileForm } from './insert-file';
import { ghostText } from './labels';
import { SuggestedText } from './suggested-text';

/** A longer text is not put into a text box: typing in one would stall. */
const LONGEST_EDITED = 20_000;

/** Text: one line that grows with what is in it. A date and time stays text, so that zone and seconds are what was typed. */
export function StringControl(props: ControlProps<'string'>) {
  const { view, value, id, path, readOnly = false, onChange } = props;
  const { complete } = useForm();
  const text = typeof value === 'string' ? value : '';
  const file = readOnly ? undefined : fileFormOf(props);
  return (
    <div className="flex items-start gap-1">
      {input()}
      {!readOnly && now(view.format) !== undefined && (
        <Button size="small" className="mt-[3px]" onClick={() => onChange(now(view.format)!())}>
          Now
        </Button>
      )}
      {file !== undefined && (
        <Button
          size="small"
          className="mt-[3px]"
          onClick={() => void chooseFile(file).then((text) => text !== undefined && onChange(text))}
        >
          File…
        </Button>
      )}
    </div>
  );

  function input() {
    if (text.length > LONGEST_EDITED) return <LongText id={id} describedBy={props.describedBy} text={text} />;
    if (!readOnly && (complete !== undefined || view.suggestions !== undefined))
      return <SuggestedText {...props} name={String(path.at(-1))} />;
    if (view.format === 'password') {
      return (
        <TextInput
          id={id}
          type="password"
          value={text}
          onChange={onChange}
          placeholder={ghostText(view, value)}
          {...aria(props)}
        />
      );
    }
    return (
      <textarea
        id={id}
        rows={1}
        value={text}
        placeholder={ghostText(view, value)}
        onChange={(event) => onChange(event.target.value)}
        {...aria(props)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={classNames(FIELD, 'block h-auto max-h-64 min-h-7 resize-none py-[3px] field-sizing-content')}
      />
    );
  }
}

/** What *now* is in a format; undefined for a format that has none. */
function now(format: string | undefined): (() => string) | undefined {
  if (format === 'date-time') return () => new Date().toISOString();
  if (format === 'date') return () => new Date().toISOString().slice(0, 10);
  if (format === 'time') return () => new Date().toISOString().slice(11);
  return undefined;
}

/** How a file goes in where the schema, or the name, says that one may. Any text can take one from its menu. */
function fileFormOf({ view, path }: ControlProps<'string'>): FileForm | undefined {
  const name = path.findLast((key) => typeof key === 'string');
  const words = `${typeof name === 'string' ? name : ''} ${view.description ?? ''}`;
  if (/data[ -]?ur[il]/i.test(words)) return 'data-uri';
  return view.encoding === 'base64' || /base_?-?64/i.test(words) ? 'base64' : undefined;
}

/** What of a data URI says what file it is. */
const DATA_URI = /^data:([^;,]{0,100})(?:;name=([^;,]{0,200}))?/;

/** Characters shown of a text of which nothing else is known. */
const SHOWN = 40;

/** A text too long for a text box: what it is, and how large. */
function LongText({ id, describedBy, text }: { id: string; describedBy: string; text: string }) {
  return (
    <output
      id={id}
      aria-describedby={describedBy}
      className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded border border-line bg-raised px-2"
    >
      <span className="min-w-0 truncate font-mono text-wire">{visibleText(fileWords(text) ?? start(text))}</span>
      <span className="shrink-0 text-small text-muted">{formatBytes(text.length)}</span>
    </output>
  );
}

function start(text: string): string {
  return `${text.slice(0, SHOWN)}…`;
}

/** `photo.png image/png` of a data URI. */
function fileWords(text: string): string | undefined {
  const [, type, name] = DATA_URI.exec(text) ?? [];
  if (type === undefined) return undefined;
  try {
    return `${decodeURIComponent(name ?? '')} ${type || 'text/plain'}`.trim();
  } catch {
    return type;
  }
}

/** A number as it is typed: the text stays (`1e3`, `1.50`), what it means is the value. Text that is no number is sent as text. */
export function NumberControl(props: ControlProps<'number'> | ControlProps<'integer'>) {
  const { view, value, id, onChange } = props;
  const [draft, setDraft] = useState(() => writeNumber(value));
  // The draft stands while it means what the document holds; otherwise somebody else changed the document.
  const text = sameJson(readNumber(draft) ?? null, value ?? null) ? draft : writeNumber(value);
  return (
    <TextInput
      id={id}
      mono
      inputMode="decimal"
      value={text}
      placeholder={ghostText(view, value)}
      onChange={(typed) => {
        setDraft(typed);
        onChange(readNumber(typed));
      }}
      {...aria(props)}
    />
  );
}
