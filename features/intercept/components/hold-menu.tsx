import { Icon } from '@/components/ui/icon';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { Menu } from '@/components/ui/menu';
import { LaterParts } from '@/components/workbench/part-boundary';
import type { LogActionProps } from '@/features/page-feature';
import { useInterceptions } from '@/lib/hooks/interceptions';
import { navigate } from '@/lib/hooks/location';
import type { Log } from '@/lib/store/log';
import { useIntercepting, usePageRules } from './page-rules';

/** The number of held messages, and the commands for them. */
const HoldCount = lazyWhenIdle(() => import('./intercept-badge').then((file) => file.InterceptBadge));

/** Holds messages. Draws nothing for those that have passed. */
export function HoldMenu({ log }: LogActionProps) {
  const { past, closed } = useIntercepting(log);
  return past ? null : <LiveMenu log={log} closed={closed} />;
}

/** Holds all messages, or shows what is held and why. Coloured while something is held or may be. */
function LiveMenu({ log, closed }: { readonly log: Log; readonly closed: string | undefined }) {
  const { waiting } = useInterceptions(log);
  const { everything, holdEverything, on } = usePageRules(log);
  const isOn = everything || on.size > 0 || waiting.length > 0;
  return (
    <Menu
      label="Hold"
      items={() => [
        ...(closed === undefined
          ? [{ label: 'Hold everything', checked: everything, run: () => holdEverything(!everything) }]
          : []),
        {
          label: 'Held messages and rules',
          run: () => navigate({ panel: 'intercept', item: undefined }),
        },
      ]}
      className={`inline-flex h-6 shrink-0 items-center gap-1 rounded px-1.5 text-small hover:bg-text/8 aria-expanded:bg-text/10 ${isOn ? 'text-warn' : 'text-muted hover:text-text'}`}
    >
      <Icon name="hand" /> <span className="medium:hidden">Hold</span>
      <LaterParts name="The number of held messages">
        <HoldCount log={log} />
      </LaterParts>
    </Menu>
  );
}
