import { Fragment, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { TextRuns, UntrustedText } from '@/components/untrusted/untrusted-text';
import type { View } from '@/lib/schema/view-types';
import { FieldButtons, type FieldViewProps, NullButton } from './field-buttons';
import type { FieldProblem } from './field-problems';
import { useForm } from './form-context';
import { ghostText } from './labels';

/** A plain field: label, input, kind and bounds, buttons; below, what it is for. */
export function PlainField(props: FieldViewProps) {
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

/** Required groups deeper than this are closed at first: a schema may require itself. */
const OPEN_DEPTH = 3;

/** A group of fields that opens and closes. Closed, it renders none of them. */
export function FieldGroup(props: FieldViewProps) {
  const { id, fieldKey, path, label, view, value, required, depth, problems, note, bare, onStart, children } = props;
  const { problems: board, reveal, readOnly } = useForm();
  const [toggled, setToggled] = useState<boolean>();
  const empty = value === undefined || value === null;
  const open = toggled ?? (value === undefined ? required && depth < OPEN_DEPTH : value !== null);
  const inside = useSyncExternalStore(board.subscribe, () => board.countUnder(fieldKey), zero);
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

/** Characters of a name that fit a line anywhere. */
const SHORT = 12;

/** Before a capital after a small letter, and after a separator. */
const SEAMS = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[._/:-])(?=[^._/:-])/u;

/** A property's name; too long for its line, it breaks where its words do: `created|Date|Time`. */
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

/** Characters of a description before it is cut: about two lines. */
const DESCRIPTION = 240;

/** Problems told of one field. */
const MOST_PROBLEMS = 5;

const BECAUSE: Readonly<Record<string, string>> = {
  reference: 'Its $ref leads nowhere within this schema',
  circle: 'Its schema refers to itself without end',
  'too-large': 'Its schema has too many parts',
  malformed: 'Its schema is malformed',
  contradiction: 'Its schema asks for two types at once',
  'unknown-type': 'Its schema has a type that JSON does not have',
  never: 'Its schema allows no value at all',
};

interface FieldAboutProps {
  readonly id: string;
  readonly view: View;
  readonly label: string;
  readonly problems: readonly FieldProblem[];
}

/** What the schema says of a field, and what is wrong with its value. */
function FieldAbout({ id, view, label, problems }: FieldAboutProps) {
  const title = view.title !== undefined && bare(view.title) !== bare(label) ? view.title : undefined;
  const because = view.kind === 'any' ? view.because : undefined;
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
      {problems.some(({ source }) => source === 'missing') && <p className="sr-only">Required and not set.</p>}
      {because !== undefined && <p>{BECAUSE[because]}: edited as JSON.</p>}
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
          Mirrored to the header <UntrustedText text={`Mcp-Param-${view.header}`} limit={80} className="font-mono" />{' '}
          over HTTP.
        </p>
      )}
    </div>
  );
}

/** What a name is made of: generators title `max_items` as `Max Items`, which tells nothing. */
function bare(name: string): string {
  return name.replace(/[\s_.-]/g, '').toLowerCase();
}

const KIND_WORDS: Readonly<Record<string, string>> = { any: 'JSON', map: 'object', tuple: 'array', union: 'one of' };

/** Kind and bounds, short: `integer ≥ 1 ≤ 9`. */
function kindHint(view: View): string {
  const count = view.kind === 'union' ? ` ${view.branches.length}` : '';
  return [`${KIND_WORDS[view.kind] ?? view.kind}${count}`, ...view.hints].join(' ');
}
