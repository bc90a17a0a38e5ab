import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { View } from '@/lib/schema/shape';
import type { FieldProblem } from './problem-board';

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
export function FieldAbout({ id, view, label, problems }: FieldAboutProps) {
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
export function kindHint(view: View): string {
  const count = view.kind === 'union' ? ` ${view.branches.length}` : '';
  return [`${KIND_WORDS[view.kind] ?? view.kind}${count}`, ...view.hints].join(' ');
}
