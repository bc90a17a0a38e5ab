import { SEVERITY_COLOUR, SEVERITY_GLYPH, SEVERITY_WORD } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { EmptyState, Sentence } from '@/components/ui/notices';
import { SpecLink } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import { formatPath, type OutlinePath } from '@/lib/json/outline-path';
import type { Problem } from '@/lib/problems/problem';

/** The problems of one frame: what is wrong and where, what to do, and links to the rule and the specification. */
export function ProblemsView({
  problems,
  onSelect,
  onField,
}: {
  readonly problems: readonly Problem[];
  readonly onSelect: (seq: number) => void;
  /** Shows a field of the frame. */
  readonly onField: (path: OutlinePath) => void;
}) {
  if (problems.length === 0) return <EmptyState title="No problems found in this frame" />;
  return (
    <ul aria-label="Problems of this message" className="min-h-0 flex-1 overflow-auto">
      {problems.map(({ id, rule, severity, title, message, advice, path, related, section, url }) => (
        <li key={id} className="flex flex-col gap-1 border-b border-line px-2 py-2">
          <h3 className="font-medium">
            <span className={SEVERITY_COLOUR[severity]}>
              <span aria-hidden="true">{SEVERITY_GLYPH[severity]} </span>
              <span className="sr-only">{SEVERITY_WORD[severity]}: </span>
            </span>
            {title}
          </h3>
          <UntrustedText text={message} limit={1000} />
          <p className="text-muted">
            <Sentence text={advice} />
          </p>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small">
            {path !== undefined && path.length > 0 && (
              <Button size="small" title="Show the field" onClick={() => onField(path)}>
                <code className="max-w-[40ch] truncate">
                  <UntrustedText text={formatPath(path)} limit={120} />
                </code>
              </Button>
            )}
            {related.map((seq) => (
              <button key={seq} type="button" onClick={() => onSelect(seq)} className="tabular text-link">
                see #{seq}
              </button>
            ))}
            <button
              type="button"
              onClick={() => navigate({ panel: 'problems', item: String(id) })}
              className="text-link"
            >
              Rule <code>{rule}</code>
            </button>
            <SpecLink section={section} url={url} />
          </p>
        </li>
      ))}
    </ul>
  );
}
