import { SEVERITY_COLOUR, SEVERITY_GLYPH, SEVERITY_WORD } from '@/components/ui/severity';
import type { Severity } from '@/lib/problems/rule';

/** That a frame has a problem, at the left edge of its row. */
export function ProblemMark({ severity }: { readonly severity: Severity }) {
  return (
    <span className={`float-left font-sans ${SEVERITY_COLOUR[severity]}`} title={`Problem: ${SEVERITY_WORD[severity]}`}>
      <span aria-hidden="true">{SEVERITY_GLYPH[severity]}</span>
      <span className="sr-only">{SEVERITY_WORD[severity]} </span>
    </span>
  );
}
