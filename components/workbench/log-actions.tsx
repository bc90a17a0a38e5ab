import { HoldCount } from '@/components/panels/registry';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { useReadOnly } from '@/lib/hooks/connections';
import { useInterceptions } from '@/lib/hooks/interceptions';
import { navigate } from '@/lib/hooks/location';
import { useIntercepting, usePageRules } from '@/lib/hooks/page-rules';
import type { Log } from '@/lib/store/log';
import { LaterParts } from './part-boundary';

/** The buttons above the log that send a message, or hold messages. */
export function LogActions({ log }: { readonly log: Log }) {
  const isReadOnly = useReadOnly(log);
  const { past } = useIntercepting(log);
  return (
    <>
      {!isReadOnly && (
        <Button
          size="small"
          variant="ghost"
          title="Write any message and send it as it is"
          onClick={() => navigate({ panel: 'raw', item: undefined })}
          className="narrow:hidden"
        >
          New message…
        </Button>
      )}
      {!past && <HoldMenu log={log} />}
    </>
  );
}

/** Holds all messages, or shows what is held and why. Coloured while something is held or may be. */
function HoldMenu({ log }: { readonly log: Log }) {
  const { closed } = useIntercepting(log);
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
