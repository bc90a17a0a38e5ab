import { CopyButton } from '@/components/ui/copy-button';
import { formatCount, formatTime } from '@/components/ui/format';
import { WindowedRows } from '@/components/ui/windowed-rows';
import { AnsiText } from '@/components/untrusted/ansi-text';
import { cutText } from '@/components/untrusted/cut-text';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { withoutAnsi } from '@/lib/wire/ansi';
import { formatBytes } from '@/lib/wire/format-bytes';

/** Characters of a line that are drawn: the whole line is in the log. */
const LINE = 2_000;

/** What the server printed on stderr, newest last. Only the lines in sight are rendered. */
export function StderrView({ log }: { readonly log: Log }) {
  const { seqs, bytes } = useLogState(log, (state) => state.stderr);
  const all = () => seqs.map((seq) => withoutAnsi(log.text(seq - 1))).join('\n');
  return (
    <section aria-label="stderr" className="min-w-0">
      <div className="mb-1 flex items-center gap-2">
        <h2 className="font-medium">stderr</h2>
        <span className="tabular text-muted">
          {formatCount(seqs.length)} {seqs.length === 1 ? 'line' : 'lines'} · {formatBytes(bytes)}
        </span>
        <span className="flex-1" />
        {seqs.length > 0 && <CopyButton text={all} label="Copy" />}
      </div>
      {seqs.length === 0 ? (
        <p className="text-muted">This server has printed nothing on stderr.</p>
      ) : (
        <WindowedRows
          count={seqs.length}
          rowHeight={18}
          follow
          label="stderr lines"
          className="h-64 border border-line bg-surface font-mono text-wire"
          render={(index) => {
            const seq = seqs[index]!;
            return (
              <div className="flex gap-2 px-2 whitespace-pre" title={formatTime(log.row(seq - 1).time)}>
                <span className="tabular w-12 shrink-0 text-right text-muted">{seq}</span>
                <span>
                  <AnsiText text={cutText(log.text(seq - 1), LINE)} />
                </span>
              </div>
            );
          }}
        />
      )}
    </section>
  );
}
