import { useId, useState } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { FIELD } from '@/components/ui/field';
import { TextInput } from '@/components/ui/text-input';
import type { TlsDraft } from './tls-draft';

/** How the certificate of a server at an https URL is judged, and which one it is shown: rarely needed, so folded up. */
export function TlsFields({ tls, onChange }: { readonly tls: TlsDraft; readonly onChange: (tls: TlsDraft) => void }) {
  const caId = useId();
  // What is set must be seen; what a person unfolds stays so.
  const [opened, setOpened] = useState(Object.values(tls).some((value) => value !== '' && value !== false));
  return (
    <details open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className="text-muted">TLS</summary>
      <fieldset aria-label="TLS" className="flex flex-col gap-2 pt-1 pl-4">
        <p className="text-muted">Paths are of the machine that runs mcp-inspect.</p>
        <div className="flex flex-col gap-1">
          <label htmlFor={caId} className="text-muted">
            Authorities to trust besides the built-in ones: PEM files, one a line
          </label>
          <textarea
            id={caId}
            rows={Math.max(1, tls.ca.split('\n').length)}
            value={tls.ca}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => onChange({ ...tls, ca: event.target.value })}
            className={`${FIELD} h-auto resize-y py-1 font-mono text-wire`}
          />
        </div>
        <div className="grid grid-cols-2 gap-2 max-[700px]:grid-cols-1">
          <TextInput
            mono
            label="Client certificate (PEM file)"
            value={tls.cert}
            onChange={(cert) => onChange({ ...tls, cert })}
          />
          <TextInput mono label="Its key (PEM file)" value={tls.key} onChange={(key) => onChange({ ...tls, key })} />
        </div>
        {tls.key !== '' && (
          <TextInput
            mono
            label="Variable of mcp-inspect that holds the key’s passphrase, if it has one"
            value={tls.passphraseEnv}
            onChange={(passphraseEnv) => onChange({ ...tls, passphraseEnv })}
          />
        )}
        <Checkbox
          label="Don’t verify this server’s certificate"
          checked={tls.insecure}
          onChange={(insecure) => onChange({ ...tls, insecure })}
        />
        {tls.insecure && (
          <p role="status" className="border-l-2 border-error bg-error/6 px-3 py-1 text-error">
            Whoever answers at this address is believed and gets your headers and messages. Only for a server of your
            own, on a network of your own.
          </p>
        )}
      </fieldset>
    </details>
  );
}
