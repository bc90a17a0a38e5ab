import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { startedTwiceWords } from '@/lib/store/probe-words';
import { LIMITS } from '@/lib/wire/limits';
import { stderrDigest } from './stderr-digest';

/**
 * The first and the last lines that the server printed on stderr. `since`: where its newest process begins; an earlier one, started only to
 * be asked for its version, has its lines apart.
 */
export function StderrTail({ log, since = 0 }: { readonly log: Log; readonly since?: number }) {
  const seqs = useLogState(log, (state) => state.stderr.seqs);
  const now = seqs.filter((seq) => seq > since);
  const before = seqs.filter((seq) => seq <= since);
  const startedTwice = useLogState(log, (state) => state.connection.startedTwice);
  const same = now.length === before.length && now.every((seq, at) => log.text(seq - 1) === log.text(before[at]! - 1));
  return (
    <section aria-label="stderr" className="flex shrink-0 flex-col gap-1">
      {now.length === 0 ? (
        <p className="text-muted">It printed nothing on stderr.</p>
      ) : (
        <>
          <h3 className="text-muted">
            stderr, {formatCount(now.length)} {now.length === 1 ? 'line' : 'lines'} so far
          </h3>
          <Lines log={log} seqs={now} />
        </>
      )}
      {startedTwice && (
        <p className="text-muted">
          {startedTwiceWords(startedTwice)}
          {same && now.length > 0 && ' It printed the same both times.'}
        </p>
      )}
      {before.length > 0 && !same && (
        <details>
          <summary className="text-muted">
            Printed on its first start ({formatCount(before.length)} {before.length === 1 ? 'line' : 'lines'})
          </summary>
          <Lines log={log} seqs={before} />
        </details>
      )}
    </section>
  );
}

function Lines({ log, seqs }: { readonly log: Log; readonly seqs: readonly number[] }) {
  const { head, left, tail } = stderrDigest(seqs);
  const text = (seq: number) => `${visibleText(log.text(seq - 1).slice(0, LIMITS.stderrShownChars))}\n`;
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text has to be reachable by keyboard
      tabIndex={0}
      className="max-h-[60vh] min-h-8 overflow-auto rounded border border-line bg-surface p-2 font-mono text-wire whitespace-pre-wrap"
    >
      {head.map(text).join('')}
      {left > 0 && (
        <span className="text-muted">
          … {formatCount(left)} lines, all of them in the log …{'\n'}
        </span>
      )}
      {tail.map(text).join('')}
    </pre>
  );
}
