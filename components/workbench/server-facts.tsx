import { type ReactNode, Suspense, useMemo } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { HEALTH_NOTES } from '@/features/notes';
import { useFirstError } from '@/lib/hooks/first-error';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import { useProblems } from '@/lib/hooks/problems';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';
import { tokensOfTools } from '@/lib/wire/token-estimate';

/** How the server is: what it lists, its problems, how long it took to be ready, and what its tools cost a model. */
export function ServerSummary({ connection }: { readonly connection: string }) {
  const log = useShownLog(connection);
  const tools = useLogState(log, (state) => state.tools);
  const resources = useLogState(log, (state) => state.resources.items.length + state.templates.items.length);
  const prompts = useLogState(log, (state) => state.prompts.items.length);
  const ready = useLogState(log, ({ server }) => server.seq);
  const { count: problems } = useProblems(log);
  const tokens = useMemo(() => tokensOfTools(tools.items.map(({ raw }) => raw)), [tools.items]);
  if (ready === undefined) return <FirstErrorLink log={log} />;
  const lists = [
    { panel: 'tools', count: tools.items.length, one: 'tool' },
    { panel: 'resources', count: resources, one: 'resource' },
    { panel: 'prompts', count: prompts, one: 'prompt' },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <span className="flex min-w-0 items-center gap-[1ch]">
        {lists.length > 0 && (
          <>
            <FactLink
              title="Show the first in Browse"
              onOpen={() => navigate({ panel: lists[0]!.panel, item: undefined })}
            >
              {lists.map(({ count, one }) => countOf(count, one)).join(', ')}
            </FactLink>
            <span aria-hidden="true">·</span>
          </>
        )}
        <span className="shrink-0">
          <FactLink onOpen={() => navigate({ panel: 'problems', item: undefined })}>
            {countOf(problems, 'problem')}
          </FactLink>
        </span>
        {HEALTH_NOTES.map((Note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <Suspense key={at}>
            <Note log={log} />
          </Suspense>
        ))}
        <span className="flex min-w-0 items-center gap-[1ch] max-[960px]:hidden">
          <span aria-hidden="true">·</span>
          <FactLink title="Show the handshake in the log" onOpen={() => navigate({ frame: ready })}>
            ready in {formatDuration(log.columns.time(ready - 1))}
          </FactLink>
          {tools.items.length > 0 && (
            <>
              <span aria-hidden="true">·</span>
              <FactLink
                title="Show the list of tools in the log. Estimated from their names, descriptions and input schemas"
                onOpen={() => navigate({ frame: tools.seqs[0] })}
              >
                about {formatCount(Number(tokens.toPrecision(2)))} tokens of definitions
              </FactLink>
            </>
          )}
        </span>
      </span>
      <FirstErrorLink log={log} />
    </>
  );
}

/** Most characters of server text in the name of an error. */
const ERROR_CHARS = 60;

function FirstErrorLink({ log }: { readonly log: Log }) {
  const first = useFirstError(log);
  if (first === undefined) return null;
  const { what, about } = rowLabel(log.row(first - 1));
  const name = visibleText([what, about].filter(Boolean).join(' ').slice(0, ERROR_CHARS));
  return (
    <button
      type="button"
      title="Show the first error in the log"
      onClick={() => navigate({ frame: first })}
      className="flex h-6 min-w-28 shrink-[1000] items-center gap-[0.5ch] text-error hover:underline"
    >
      <span className="shrink-0">First error:</span> <bdi className="min-w-0 truncate">{name}</bdi>{' '}
      <span className="tabular shrink-0">#{first}</span>
    </button>
  );
}

function FactLink({
  title,
  onOpen,
  children,
}: {
  readonly title?: string;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" title={title} onClick={onOpen} className="h-6 min-w-8 truncate hover:text-text">
      {children}
    </button>
  );
}
