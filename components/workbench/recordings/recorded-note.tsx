import { visibleText } from '@/components/ui/visible-text';
import type { RecordingsReply } from '@/lib/wire/api';

/** What is recorded, and where. */
export function RecordedNote({
  reply,
  inBrowser,
}: {
  readonly reply: Pick<RecordingsReply, 'folder' | 'off'> | undefined;
  /** Whether the browser records, where that is who would. */
  readonly inBrowser: { readonly on: boolean } | undefined;
}) {
  return (
    <p className="min-w-0 flex-1 basis-72 text-muted">
      {recordedWords(reply?.off === true, inBrowser)}
      {reply && reply.folder !== '' && (
        <>
          {reply.off ? ' What was recorded before is in ' : ', in '}
          <span className="font-mono text-wire break-all">{visibleText(reply.folder)}</span>
        </>
      )}
      .
    </p>
  );
}

function recordedWords(off: boolean, inBrowser: { readonly on: boolean } | undefined): string {
  if (off) return 'Nothing of this run is recorded, since mcp-inspect was started with --no-record.';
  const what =
    inBrowser?.on === false
      ? 'Nothing that is connected from now on is recorded'
      : 'Every connection of the page is recorded as it runs';
  if (!inBrowser) return what;
  return `${what}, in this browser, without known secrets; what else is served from this address can read it`;
}
