import { useEffect, useMemo, useRef, useState } from 'react';
import type { ArgumentCompletion } from '@/components/exchange/use-complete';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Combobox } from '@/components/ui/combobox';
import { FIELD, TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { sameJson, stringifyJson, tryParseJson, writeNumber } from '@/lib/json/exact';
import { readTypedNumber } from '@/lib/json/typed-number';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { aria, type ControlProps, useForm } from './form-context';
import { chooseFile, type FileForm } from './insert-file';
import { brief, ghostText } from './labels';

/** Characters. A longer text is not editable here: typing in the box would stall. */
const LONGEST_EDITED = 20_000;

/** Text in a box that grows with it. Dates stay text, so that zone and seconds are sent as typed. */
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
        className={classNames(
          FIELD,
          'block h-auto max-h-64 min-h-7 resize-none py-[3px] field-sizing-content short:min-h-[26px] short:py-[2px]',
        )}
      />
    );
  }
}

/** Returns a function for the current time in a date or time format; undefined for other formats. */
function now(format: string | undefined): (() => string) | undefined {
  if (format === 'date-time') return () => new Date().toISOString();
  if (format === 'date') return () => new Date().toISOString().slice(0, 10);
  if (format === 'time') return () => new Date().toISOString().slice(11);
  return undefined;
}

/**
 * Returns the format in which to insert a file if the schema or name mentions base64 or a data URI. The menu offers all
 * formats for any text.
 */
function fileFormOf({ view, path }: ControlProps<'string'>): FileForm | undefined {
  const name = path.findLast((key) => typeof key === 'string');
  const words = `${typeof name === 'string' ? name : ''} ${view.description ?? ''}`;
  if (/data[ -]?ur[il]/i.test(words)) return 'data-uri';
  return view.encoding === 'base64' || /base_?-?64/i.test(words) ? 'base64' : undefined;
}

/** Matches the type and name of a data URI. */
const DATA_URI = /^data:([^;,]{0,100})(?:;name=([^;,]{0,200}))?/;

/** Characters shown of a long text that is not a data URI. */
const SHOWN = 40;

/** A text too long to edit: its type and name, or its start, and its size. */
function LongText({ id, describedBy, text }: { id: string; describedBy: string; text: string }) {
  return (
    <output
      id={id}
      aria-describedby={describedBy}
      className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded border border-line bg-raised px-2"
    >
      <span className="min-w-0 truncate font-mono text-wire">{visibleText(dataUriLabel(text) ?? start(text))}</span>
      <span className="shrink-0 text-small text-muted">{formatBytes(text.length)}</span>
    </output>
  );
}

function start(text: string): string {
  return `${text.slice(0, SHOWN)}…`;
}

/** Returns `photo.png image/png` for a data URI. */
function dataUriLabel(text: string): string | undefined {
  const [, type, name] = DATA_URI.exec(text) ?? [];
  if (type === undefined) return undefined;
  try {
    return `${decodeURIComponent(name ?? '')} ${type || 'text/plain'}`.trim();
  } catch {
    return type;
  }
}

/** A number. The text stays as typed (`1e3`, `1.50`). Text that is not a number is sent as a string. */
export function NumberControl(props: ControlProps<'number'> | ControlProps<'integer'>) {
  const { view, value, id, onChange } = props;
  const [draft, setDraft] = useState(() => writeNumber(value));
  // Another value means that the document was changed elsewhere, so the draft is dropped.
  const text = sameJson(readTypedNumber(draft) ?? null, value ?? null) ? draft : writeNumber(value);
  return (
    <TextInput
      id={id}
      mono
      inputMode="decimal"
      value={text}
      placeholder={ghostText(view, value)}
      onChange={(typed) => {
        setDraft(typed);
        onChange(readTypedNumber(typed));
      }}
      {...aria(props)}
    />
  );
}

/** Pause between the last key and the request for completions, in ms. */
const COMPLETION_MS = 200;

/** Suggestions shown at once. */
const MOST_SHOWN = 100;

/** Text with suggestions from the schema, or from the server's completions. */
function SuggestedText(props: ControlProps<'string'> & { readonly name: string }) {
  const { view, value, id, name, onChange, onBlur } = props;
  const text = typeof value === 'string' ? value : '';
  const { completion, ask, state } = useCompletion(name);
  const known = view.suggestions ?? [];
  const matching = known.filter(({ value, title }) =>
    `${value} ${title ?? ''}`.toLowerCase().includes(text.toLowerCase()),
  );
  // An exact match is a choice, not a search: keep the others visible.
  const listed = known.some((choice) => choice.value === text) ? known : matching;
  const options = [
    ...listed.map(({ value, title }) => ({
      key: String(value),
      label: visibleText(brief(value)),
      note: title && visibleText(title),
    })),
    ...(completion?.values ?? []).map((value) => ({ key: value, label: visibleText(brief(value)), note: undefined })),
  ];
  return (
    <Combobox
      id={id}
      text={text}
      placeholder={ghostText(view, value)}
      onText={(typed) => {
        onChange(typed);
        ask(typed);
      }}
      onOpen={() => ask(text, true)}
      options={options.slice(0, MOST_SHOWN)}
      onChoose={({ key }) => onChange(key)}
      onLeave={onBlur}
      foot={COMPLETION_NOTES[state] ?? (completion && moreText(completion))}
      {...aria(props)}
    />
  );
}

const COMPLETION_NOTES: Readonly<Record<string, string>> = {
  asking: 'Asking the server…',
  failed: 'No completions from the server. See the log',
};

/** Says that the server has more values than it sent. */
function moreText({ values, more, total }: ArgumentCompletion): string | undefined {
  if (!more) return undefined;
  const count = total === undefined ? 'The server has more' : `${formatCount(values.length)} of ${formatCount(total)}`;
  return `${count}. Type to narrow the list`;
}

/** Asks the server to complete one field, shortly after the last key. Late responses are dropped. */
function useCompletion(name: string): {
  readonly completion: ArgumentCompletion | undefined;
  readonly state: 'idle' | 'asking' | 'failed';
  /** `afresh` drops the values that are shown, since other arguments may have changed. */
  readonly ask: (text: string, afresh?: boolean) => void;
} {
  const { complete } = useForm();
  const [answer, setAnswer] = useState<ArgumentCompletion>();
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle');
  const question = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (text: string, afresh = false) => {
    if (complete === undefined) return;
    if (afresh) setAnswer(undefined);
    question.current += 1;
    const mine = question.current;
    const settle = (completion: ArgumentCompletion | undefined) => {
      if (question.current !== mine) return;
      setAnswer(completion);
      setState(completion === undefined ? 'failed' : 'idle');
    };
    clearTimeout(timer.current);
    setState('asking');
    timer.current = setTimeout(() => {
      complete(name, text).then(settle, () => settle(undefined));
    }, COMPLETION_MS);
  };
  return { completion: answer, state, ask };
}

/** Returns the value of a JSON box's text. Text that is not JSON is a string, so that nothing typed is lost. */
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

/** True if a draft stands for the value. An empty box may stand for null, the value of a cleared item. */
export function draftMatches(draft: string, value: unknown): boolean {
  const said = read(draft);
  if (value === undefined || said === undefined) return said === (value ?? undefined);
  return sameJson(said, value);
}

/** Characters. A longer text is not editable here: typing in the box would stall. */
const LONGEST_JSON = 100_000;

/** Any value, typed as JSON. */
export function AnyControl(props: ControlProps<'any'>) {
  const { view, value, id, readOnly, onChange, onBlur } = props;
  const written = useMemo(() => write(value), [value]);
  const [draft, setDraft] = useState(written);
  const stands = draftMatches(draft, value);
  const text = stands ? draft : written;
  const asText = text.trim() !== '' && !tryParseJson(text).ok;
  if (written.length > LONGEST_JSON) {
    return (
      <p id={id} className="flex min-h-7 items-center text-muted">
        {formatBytes(written.length)} of JSON. {readOnly ? 'Read' : 'Edit'} it in the JSON tab
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
      {asText && <p className="text-small text-warn">! Not JSON. It is sent as a string</p>}
    </div>
  );
}
