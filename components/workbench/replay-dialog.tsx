import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useLog, useLogState } from '@/lib/hooks/log';
import { useRecordings } from '@/lib/hooks/recordings';
import { serverWords, shellQuote } from '@/lib/sharing/snippets/shell-commands';
import type { ConnectionSummary } from '@/lib/wire/command';
import { MASK } from '@/lib/wire/http-frame';

/** Says how to give the recorded answers to another client, and how to compare them with those of the server. */
export function ReplayDialog({
  source,
  onClose,
}: {
  readonly source: ConnectionSummary;
  readonly onClose: () => void;
}) {
  const log = useLog(source.id);
  const start = useLogState(log, (state) => state.connection.start);
  const { reply, error } = useRecordings();
  const { recordings } = useClient();
  const file = source.recording?.file ?? '';
  // Only files of the folder have a known path: a browser hides that of a file that was opened.
  const isKept = source.recording?.tap !== undefined || reply?.recordings.some(({ id }) => id === file) === true;
  const path = isKept && reply ? `${reply.folder}/${file}` : file;
  if (recordings && !reply && !error) {
    return (
      <Dialog title="Replay or test" width="wide" onClose={onClose}>
        <Spinner label="Looking for the file" />
      </Dialog>
    );
  }
  const words = ['-y', 'mcp-inspect', 'replay', path];
  const config = JSON.stringify(
    { mcpServers: { [`${source.name}-replay`]: { command: 'npx', args: words } } },
    null,
    2,
  );
  const test = start && ['npx mcp-inspect test', shellQuote(path), ...serverWords(start)].join(' ');
  return (
    <Dialog title="Replay or test" width="wide" onClose={onClose}>
      <div className="flex flex-col gap-4">
        {!isKept && (
          <p className="text-muted">
            Use the full path to <code className="font-mono text-wire">{visibleText(file)}</code>, which the browser
            does not tell.
          </p>
        )}
        {source.recording?.tap?.live && (
          <p className="text-muted">The session is still running. The recording so far is used.</p>
        )}
        <Copied
          title="Replay to another client"
          text={`npx mcp-inspect replay ${shellQuote(path)}`}
          about="An MCP server on stdio that answers from this recording. --port N serves it over HTTP."
        />
        <Copied title="In a host’s config" text={config} about="Most hosts read this form." />
        {test !== undefined && (
          <Copied
            title="Test against the server"
            text={test}
            about={
              test.includes(MASK)
                ? 'Repeats the requests and compares the answers. Replace the masked values first.'
                : 'Repeats the requests and compares the answers. Variables are values to set: they are not recorded.'
            }
          />
        )}
      </div>
    </Dialog>
  );
}

function Copied({ title, text, about }: { readonly title: string; readonly text: string; readonly about: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <div className="mb-1 flex items-center gap-2">
        <h3 className="min-w-0 flex-1 font-medium">{title}</h3>
        <CopyButton text={() => text} label="Copy" />
      </div>
      <pre className="overflow-x-auto rounded border border-line bg-surface p-2 font-mono text-wire whitespace-pre-wrap break-all">
        {visibleText(text)}
      </pre>
      <p className="mt-1 text-small text-muted">{about}</p>
    </section>
  );
}
