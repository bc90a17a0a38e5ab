import { FrameLink } from '@/components/exchange/frame-link';
import { heldTitle } from '@/components/exchange/held-words';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { useConnections } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { compactJson } from '@/lib/json/exact';
import type { Log } from '@/lib/store/log';
import type { Done } from '@/lib/store/state/interception-state';
import { entryOf } from '@/lib/wire/command';
import { formatDuration } from '@/lib/wire/format';
import { didWords } from './done-list';
import { canJoin } from './held-decision';
import { useHeldEdit } from './held-edits';

/** How a hold ended, and the text that was typed for it but not sent. */
export function HeldOutcome({ log, done }: { readonly log: Log; readonly done: Done }) {
  const { hold = 0, seq, rule, waitedMs, withheld, held, lost } = done;
  const frames = useLogState(log, () => log.interceptions.of(seq));
  const { edit } = useHeldEdit(log, hold);
  const sent = frames?.delivered[0];
  const next = useNextFile(log);
  const waitsThere = lost === 'recording' && next !== undefined;
  const unsent =
    waitsThere || done.did === 'replace' || isSame(edit.text, sent === undefined ? undefined : log.text(sent - 1))
      ? undefined
      : edit.text;
  return (
    <section aria-label="Outcome" className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-3">
      <h2 className="font-mono font-medium">{heldTitle(done)}</h2>
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
      {waitsThere && (
        <p className="flex flex-wrap items-center gap-2">
          The session goes on in another recording, with your edit of this message
          <Button size="small" onClick={() => navigate({ connection: next, item: `hold-${hold}` })}>
            Show it there
          </Button>
        </p>
      )}
      {held?.givenUp && (
        <p className="text-warn">
          ! The request was cancelled while it was held <FrameLink seq={held.givenUp.seq} label="cancelled in" />
        </p>
      )}
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

/** Returns the connection that shows the newest recording of the same tapped session, if that is another one. */
function useNextFile(log: Log): string | undefined {
  const { connections } = useConnections();
  const own = connections.find(({ id }) => id === log.connection);
  const newest = own?.recording?.tap && connections.findLast((one) => entryOf(one) === entryOf(own));
  return newest && newest.id !== own?.id ? newest.id : undefined;
}

/** Returns true for a text that differs from the message that was sent in its layout only. */
function isSame(text: string | undefined, sent: string | undefined): boolean {
  return text !== undefined && sent !== undefined && canJoin(text) && compactJson(text) === compactJson(sent);
}
