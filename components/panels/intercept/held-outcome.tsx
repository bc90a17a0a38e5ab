import { FrameLink } from '@/components/exchange/frame-link';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/log';
import { compactJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import type { Done } from '@/lib/store/state/interception-state';
import { formatDuration } from '@/lib/wire/format';
import { didWords } from './done-list';
import { canJoin } from './held-decision';
import { useHeldEdit } from './held-edits';
import { heldName } from './held-words';

/** How a hold ended, and the text that was typed for it but not sent. */
export function HeldOutcome({ log, done }: { readonly log: Log; readonly done: Done }) {
  const { hold = 0, seq, rule, waitedMs, withheld } = done;
  const frames = useLogState(log, () => log.interceptions.of(seq));
  const [edit] = useHeldEdit(log, hold);
  const sent = frames?.delivered[0];
  const unsent =
    done.did === 'replace' || isSame(edit.text, sent === undefined ? undefined : log.text(sent - 1))
      ? undefined
      : edit.text;
  return (
    <section aria-label="Outcome" className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-3">
      <h2 className="font-mono font-medium">{visibleText(heldName(done).slice(0, 200))}</h2>
      <p className="flex flex-wrap gap-x-2">
        <span role="status">✓ {didWords(done)}</span>
        {waitedMs !== undefined && <span className="tabular text-muted">after {formatDuration(waitedMs * 1000)}</span>}
        <FrameLink seq={seq} label="event" />
        {frames?.original !== undefined && <FrameLink seq={frames.original} label="as sent" />}
        {frames?.delivered.map((frame) => (
          <FrameLink key={frame} seq={frame} label={withheld ? 'not passed on' : 'passed on'} />
        ))}
        {frames?.made !== undefined && <FrameLink seq={frames.made} label="answer" />}
      </p>
      {rule !== undefined && <p className="text-small text-muted">By rule “{visibleText(rule)}”</p>}
      {unsent !== undefined && (
        <>
          <p className="text-muted">Your edit was not sent:</p>
          <pre className="max-h-60 overflow-auto border border-line p-2 font-mono text-wire break-all whitespace-pre-wrap">
            {unsent.slice(0, 20_000)}
          </pre>
        </>
      )}
    </section>
  );
}

/** Returns true for a text that differs from the message that was sent in its layout only. */
function isSame(text: string | undefined, sent: string | undefined): boolean {
  return text !== undefined && sent !== undefined && canJoin(text) && compactJson(text) === compactJson(sent);
}
