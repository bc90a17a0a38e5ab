import { FrameLink } from '@/components/exchange/frame-link';
import { formatCount } from '@/components/ui/format';
import { SpecLink } from '@/components/untrusted/spec-link';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Problem } from '@/lib/problems/problem';
import { pathWords, toPointer } from '@/lib/store/outline-path';

/** Frames linked to at once. */
const SHOWN = 6;

/** One finding: what, where, in which frames, and where the specification says so. */
export function ProblemItem({
  problem,
  advice,
  chosen,
}: {
  readonly problem: Problem;
  /** What its group says to do. */
  readonly advice: string;
  readonly chosen: boolean;
}) {
  const { message, path, seqs, count, related, section, url } = problem;
  const shown = seqs.slice(0, SHOWN);
  return (
    <li className={`px-3 py-1.5 ${chosen ? 'bg-accent/12' : ''}`} aria-current={chosen || undefined}>
      <p className="break-words">
        <UntrustedText text={message} limit={500} />
      </p>
      {problem.advice !== advice && <p className="text-muted">{problem.advice}</p>}
      <p className="flex flex-wrap gap-x-3 text-small text-muted">
        {path !== undefined && path.length > 0 && (
          <code className="break-all">
            <UntrustedText text={pathWords(path)} limit={300} />
          </code>
        )}
        <span className="flex flex-wrap gap-x-2">
          {shown.map((seq) => (
            <FrameLink key={seq} seq={seq} label="Frame" at={path && toPointer(path)} />
          ))}
          {count > shown.length && <span>and {formatCount(count - shown.length)} more</span>}
        </span>
        {related.length > 0 && (
          <span className="flex flex-wrap gap-x-2">
            {related.map((seq) => (
              <FrameLink key={seq} seq={seq} label="see" />
            ))}
          </span>
        )}
        <SpecLink section={section} url={url} />
      </p>
    </li>
  );
}
