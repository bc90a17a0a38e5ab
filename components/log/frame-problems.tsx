import { SEVERITY_COLOUR, SEVERITY_GLYPH, SEVERITY_WORD } from '@/components/ui/severity';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/use-location';
import type { Problem } from '@/lib/problems/problem';

/** What the rules found in one frame; the panel has the rest of it. */
export function FrameProblems({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul
      aria-label="Problems of this message"
      className="max-h-32 shrink-0 overflow-auto border-b border-line px-2 py-1"
    >
      {problems.map(({ id, severity, title, message, advice }) => (
        <li key={id}>
          <span className={SEVERITY_COLOUR[severity]}>
            <span aria-hidden="true">{SEVERITY_GLYPH[severity]} </span>
            <span className="sr-only">{SEVERITY_WORD[severity]}: </span>
          </span>
          <button
            type="button"
            title={advice}
            onClick={() => navigate({ panel: 'problems', item: String(id) })}
            className="text-left font-medium hover:underline"
          >
            {title}
          </button>{' '}
          <UntrustedText text={message} limit={300} className="text-muted" />
        </li>
      ))}
    </ul>
  );
}
