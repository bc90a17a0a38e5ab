import { RELEASE_ALL_KEYS } from '@/components/ui/old-keys';
import { type PaletteCommand, usePaletteCommands, useShortcuts } from '@/components/ui/shortcuts';
import { useInterceptions } from '@/lib/hooks/interceptions';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { useIntercepting, usePageRules } from './page-rules';
import { useDecisions } from './use-decisions';

/** The number of held messages, and whether everything is held. Also has the key and the commands of the whole page. */
export function InterceptBadge({ log }: { readonly log: Log }) {
  const { past, closed } = useIntercepting(log);
  return past ? null : <LiveBadge log={log} closed={closed} />;
}

function LiveBadge({ log, closed }: { readonly log: Log; readonly closed: string | undefined }) {
  const { waiting } = useInterceptions(log);
  const { everything, holdEverything } = usePageRules(log);
  const { releaseAll } = useDecisions(log);
  const actions: readonly PaletteCommand[] =
    closed === undefined
      ? [
          {
            title: everything ? 'Stop holding everything' : 'Hold everything',
            isGeneral: true as const,
            run: () => holdEverything(!everything),
          },
          ...(waiting.length > 0
            ? [
                {
                  title: 'Release all held messages',
                  keys: RELEASE_ALL_KEYS,
                  isGeneral: true as const,
                  run: () => releaseAll(waiting.map(({ hold }) => hold)),
                },
              ]
            : []),
        ]
      : [];
  useShortcuts(
    actions.flatMap(({ keys, title, run }) => (keys === undefined ? [] : [{ keys, title, run }])),
    'Everywhere',
  );
  usePaletteCommands(() => actions);
  if (waiting.length === 0 && !everything) return null;
  return (
    <span
      className="inline-flex items-center gap-0.5 font-medium whitespace-nowrap text-accent"
      title={everything ? 'Holding everything' : undefined}
    >
      {everything && <span className="sr-only">holding everything, </span>}
      {waiting.length > 0 ? formatCount(waiting.length) : <span className="not-medium:hidden">on</span>}
    </span>
  );
}
