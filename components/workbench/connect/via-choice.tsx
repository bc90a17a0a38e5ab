import { Segmented } from '@/components/ui/segmented';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/use-client';
import { baseOf, type ServerDraft } from './server-draft';

const NAMES = { proxy: 'Via proxy', direct: 'Direct' } as const;

const MEANINGS: Readonly<Record<ServerDraft['via'], string>> = {
  proxy: 'mcp-inspect’s own process talks to the server: any header, no CORS, and it goes on while this tab sleeps.',
  direct: 'This page talks to the server, as a web app does: the server has to allow it by CORS headers.',
};

/** Who is to talk to a server at a URL, and what that means. */
export function ViaChoice({
  draft,
  onDraft,
}: {
  readonly draft: ServerDraft;
  readonly onDraft: (draft: ServerDraft) => void;
}) {
  const { status, directTarget } = useClient();
  const base = baseOf(draft);
  // Values of a config's headers never reach the page, so it can not send them.
  const unknown =
    draft.via === 'direct' && base && directTarget(base.id) === undefined
      ? draft.environment.filter(({ origin, value }) => origin === 'base' && value === '')
      : [];
  if (status === 'none') return <p className="text-muted">{MEANINGS.direct}</p>;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted">Connection</h3>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Segmented
          label="Connection"
          names={Object.values(NAMES)}
          chosen={NAMES[draft.via]}
          onChoose={(name) => onDraft({ ...draft, via: name === NAMES.direct ? 'direct' : 'proxy' })}
        />
        <p className="min-w-0 flex-1 basis-80 text-muted">{MEANINGS[draft.via]}</p>
      </div>
      {unknown.length > 0 && (
        <p className="break-words text-warn">
          Only the proxy knows the value of {unknown.map(({ name }) => visibleText(name)).join(', ')}: type it, or it is
          not sent.
        </p>
      )}
    </div>
  );
}
