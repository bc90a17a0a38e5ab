import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** Lines shown, and characters of each: the rest is in the log. */
const LINES = 40;
const CHARACTERS = 2000;

/** The last lines that the server printed on stderr; nothing if it printed none. */
export function StderrTail({ log }: { readonly log: Log }) {
  const seqs = useLogState(log, (state) => state.stderr.seqs);
  if (seqs.length === 0) return <p className="text-muted">It printed nothing on stderr.</p>;
  const shown = seqs.slice(-LINES);
  return (
    <section aria-label="stderr" className="flex min-h-0 flex-col gap-1">
      <h3 className="text-muted">
        stderr, {shown.length < seqs.length ? `the last ${LINES} of ${formatCount(seqs.length)} lines` : 'so far'}
      </h3>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text has to be reachable by keyboard
        tabIndex={0}
        className="max-h-72 min-h-8 overflow-auto rounded border border-line bg-surface p-2 font-mono text-wire whitespace-pre-wrap"
      >
        {shown.map((seq) => `${visibleText(log.text(seq - 1).slice(0, CHARACTERS))}\n`).join('')}
      </pre>
    </section>
  );
}
