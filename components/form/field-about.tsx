import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { View } from '@/lib/schema/shape';

/** Characters of a description before it is cut: about two lines. */
const DESCRIPTION = 240;

/** What the schema says of a field, and what is wrong with its value. */
export function FieldAbout({ id, view, label, problem }: { id: string; view: View; label: string; problem?: string }) {
  const title = view.title !== undefined && view.title !== label ? view.title : undefined;
  return (
    <div id={`${id}-about`} className="text-small text-muted">
      {problem !== undefined && <p className="text-warn">! {problem}</p>}
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
    </div>
  );
}

/** Kind and bounds, short: `integer ≥ 1 ≤ 9`. */
export function kindHint(view: View): string {
  const kind = view.kind === 'any' ? 'JSON' : view.kind === 'map' ? 'object' : view.kind;
  return [kind, ...view.hints].join(' ') + (view.nullable ? ' or null' : '');
}
