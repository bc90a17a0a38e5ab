import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/use-client';
import type { StartEvent } from '@/lib/store/state';
import { corsAnswer } from '@/lib/wire/cors-answer';
import type { Failure } from '@/lib/wire/lifecycle';
import { TerminalNote } from './connect/terminal-note';

/** Failures that headers of the server's would mend. */
const BY_HEADERS = /^(?:cors-|session-hidden$)/;

/** For a direct connection that failed: the headers that its server lacks, and the way that needs none of them. */
export function DirectHelp({
  start,
  failure,
}: {
  readonly start: StartEvent | undefined;
  readonly failure: Failure | undefined;
}) {
  const { status } = useClient();
  if (start === undefined || start.transport === 'stdio' || start.via !== 'direct') return null;
  const answer = () => corsAnswer(window.location.origin, start.headerNames);
  return (
    <>
      {status === 'none' && (
        <TerminalNote target={{ transport: start.transport, url: start.url }}>
          Through the proxy no CORS is needed. There is none here; to have one, run in a terminal:
        </TerminalNote>
      )}
      {failure && BY_HEADERS.test(failure.code) && (
        <section aria-label="Headers that the server has to send" className="flex flex-col gap-1">
          <div className="flex items-end justify-between gap-2">
            <h3 className="text-muted">What the server has to answer, preflights (OPTIONS) included</h3>
            <CopyButton label="Copy headers" text={answer} />
          </div>
          <pre className="rounded border border-line bg-surface p-2 font-mono text-wire break-words whitespace-pre-wrap">
            {visibleText(answer())}
          </pre>
        </section>
      )}
    </>
  );
}

/** Failures that are the browser's doing: what to do next is to go another way. */
const BY_BROWSER = /^(?:cors-|session-hidden|mixed-content|local-network-denied|redirected-elsewhere)/;

/** The same server by the other way, in one press. */
export function ViaProxyButton({
  failure,
  onPress,
}: {
  readonly failure: Failure | undefined;
  readonly onPress: (() => void) | undefined;
}) {
  return (
    onPress && (
      <Button variant={failure && BY_BROWSER.test(failure.code) ? 'primary' : 'plain'} onClick={onPress}>
        Connect via proxy
      </Button>
    )
  );
}
