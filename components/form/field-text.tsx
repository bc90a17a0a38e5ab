import { classNames } from '@/components/ui/class-names';
import { visibleText } from '@/components/ui/visible-text';
import { shortenText, UntrustedText } from '@/components/untrusted/untrusted-text';
import { WireName } from '@/components/untrusted/wire-name';
import { view as viewOf } from '@/lib/schema/view';
import type { View } from '@/lib/schema/view-types';
import { useForm } from './form-context';
import type { FieldProblem } from './form-state';
import { ghostText } from './labels';

/** Characters of a name. A longer one is cut. */
const LONGEST_NAME = 120;

interface FieldNameProps {
  readonly id: string;
  readonly text: string;
  readonly required: boolean;
}

/**
 * A property's name, or its title. It breaks between its words only. A word that does not fit is cut, and the whole is
 * shown on hover.
 */
export function FieldName({ id, text, required }: FieldNameProps) {
  const { titles } = useForm();
  return (
    <span
      className={classNames('block min-w-0 overflow-hidden text-ellipsis', !titles && 'font-mono text-wire')}
      title={visibleText(shortenText(text, 1000))}
    >
      <WireName keepsWords id={id} text={text} limit={LONGEST_NAME} />
      {required && (
        <span aria-hidden="true" title="required" className="text-error">
          &nbsp;*
        </span>
      )}
    </span>
  );
}

/** Why a field is edited as JSON. */
const JSON_REASONS: Readonly<Record<string, string>> = {
  reference: 'Edited as JSON: its $ref is not in this schema',
  circle: 'Edited as JSON: its schema refers to itself endlessly',
  'too-large': 'Edited as JSON: its schema is too large',
  malformed: 'Edited as JSON: its schema is malformed',
  contradiction: 'Edited as JSON: its schema requires two types at once',
  'unknown-type': 'Edited as JSON: its schema has an unknown type',
  never: 'Edited as JSON: its schema allows no value',
};

/** Characters of a description that are shown at first. */
const DESCRIPTION = 240;

interface FieldAboutProps {
  readonly view: View;
  readonly label: string;
  /** The result of {@link kindHint}. Empty for a group, where it stands beside its name. */
  readonly hint: string;
}

/** A field's type, title and description in one quiet paragraph. In a short pane, one line beside its name. */
export function FieldAbout({ view, label, hint }: FieldAboutProps) {
  const { kind, title = '', description = '', header } = view;
  const facts = [
    hint,
    kind === 'any' && view.because && JSON_REASONS[view.because],
    header && `also sent as the HTTP header Mcp-Param-${header}`,
    plainName(title) !== plainName(label) && title,
    description,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  const text = facts.join(' · ');
  // The first lines, if they are short.
  const lines = /^(?:.*\n){3}/.exec(text)?.[0].length ?? DESCRIPTION;
  return (
    <p className="field-about">
      <UntrustedText text={text} limit={Math.min(DESCRIPTION, lines)} />
    </p>
  );
}

/** Characters of a name at the start of a problem. */
const MOST_IN_ERROR = 32;

/** Problems shown for one field. */
const MOST_PROBLEMS = 5;

interface FieldErrorsProps {
  readonly label: string;
  readonly problems: readonly FieldProblem[];
}

/** A field's problems, each as a sentence that starts with its name. */
export function FieldErrors({ label, problems }: FieldErrorsProps) {
  if (problems.length === 0) return null;
  const name = visibleText(shortenText(label, MOST_IN_ERROR));
  return (
    <div className="col-span-3 text-small text-error">
      {problems.slice(0, MOST_PROBLEMS).map(({ text, source }) => (
        <p key={text} className="break-words">
          ! {source === 'server' ? 'The server: ' : `${name} `}
          <UntrustedText text={text} limit={400} />
        </p>
      ))}
      {problems.length > MOST_PROBLEMS && <p>and {problems.length - MOST_PROBLEMS} more</p>}
    </div>
  );
}

/** Returns a name without case and separators. Generators title `max_items` as `Max Items`, which adds nothing. */
function plainName(name: string): string {
  return name.replace(/[\s_.-]/g, '').toLowerCase();
}

const KIND_LABELS: Readonly<Record<string, string>> = { any: 'JSON', map: 'object', tuple: 'array', union: 'one of' };

/** Returns what the `Set` button of a group sets: `object`, `array` or, of several kinds, `value`. */
export function kindNoun({ kind }: View): string {
  return kind === 'union' ? 'value' : (KIND_LABELS[kind] ?? kind);
}

/** Returns a field's type, limits and default: `integer · 1–9 · default 5`, `array of string · ≥ 1 item`. */
export function kindHint(view: View, root: unknown): string {
  return [kindLabel(view, root), ...view.hints, ghostText(view, undefined) ?? []].flat().join(' · ');
}

function kindLabel(view: View, root: unknown): string {
  const label = KIND_LABELS[view.kind] ?? view.kind;
  if (view.kind === 'union') return `${label} ${view.branches.length}`;
  const inner = view.kind === 'array' ? view.items : view.kind === 'map' ? view.others.schema : undefined;
  const of = viewOf(inner, root);
  return of.kind === 'any' ? label : `${label} of ${[KIND_LABELS[of.kind] ?? of.kind, ...of.hints].join(' ')}`;
}
