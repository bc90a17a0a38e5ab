import { Suspense, useEffect, useRef, useState } from 'react';
import { missingCapabilities } from '@/components/client-settings/profile-words';
import { Button } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useDeclared, useProfile } from '@/lib/hooks/client-profile';
import { useReadOnly } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { capabilityName, isOptional, switchesOf } from '@/lib/wire/capability-switches';
import { Fact, FactList } from '../shared/fact-list';

const ClientSettingsDialog = lazyWhenIdle(() =>
  import('./client-settings-dialog').then((file) => file.ClientSettingsDialog),
);

/** The item in the page's address that opens the dialog. */
const CLIENT_SETTINGS_ITEM = 'client-settings';

/** How mcp-inspect presents itself to the server, and a button to change that. */
export function ClientSettings({ log }: { readonly log: Log }) {
  const profile = useProfile(log);
  const protocol = useLogState(log, ({ connection }) => connection.start?.protocol);
  const readOnly = useReadOnly(log);
  const { item, navigate } = useLocation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (item !== CLIENT_SETTINGS_ITEM) return;
    if (!readOnly) setOpen(true);
    button.current?.scrollIntoView({ block: 'nearest' });
    // So that the next command opens it again.
    navigate({ item: undefined }, { replace: true });
  }, [item, readOnly, navigate]);
  const { info, meta, timeouts } = profile;
  const declared = useDeclared(log);
  const names = declared && switchesOf(declared).filter((path) => isOptional(declared, path));
  const off = missingCapabilities(profile);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <FactList title="Client settings">
        <Fact name="declares">
          {names ? (
            <UntrustedText text={names.map(capabilityName).join(', ') || 'nothing'} limit={1000} />
          ) : protocol === 'none' ? (
            'nothing: there was no handshake'
          ) : (
            'nothing yet'
          )}
        </Fact>
        <Fact name="switched off">{off.length > 0 && visibleText(off.join(', '))}</Fact>
        <Fact name="client info">{info && <UntrustedText text={Object.values(info).join(' · ')} limit={600} />}</Fact>
        <Fact name="extra _meta">
          {meta && <UntrustedText text={JSON.stringify(meta)} limit={600} className="font-mono text-wire" />}
        </Fact>
        <Fact name="timeouts">
          {[
            timeouts?.silenceMs !== undefined && `${timeouts.silenceMs / 1000} s without response or progress`,
            timeouts?.totalMs !== undefined && `${timeouts.totalMs / 1000} s in total`,
          ]
            .filter(Boolean)
            .join(', ')}
        </Fact>
      </FactList>
      {!readOnly && (
        <Button ref={button} size="small" className="self-start" onClick={() => setOpen(true)}>
          Change client settings
        </Button>
      )}
      <Suspense>{open && <ClientSettingsDialog log={log} onClose={() => setOpen(false)} />}</Suspense>
    </div>
  );
}
