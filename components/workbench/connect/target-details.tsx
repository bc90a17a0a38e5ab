import { TextInput } from '@/components/ui/text-input';
import { visibleText } from '@/components/ui/visible-text';
import { useEnvironment } from '@/lib/hooks/use-environment';
import type { PastedServer } from '@/lib/wire/target-text';
import { EnvironmentRows } from './environment-rows';
import { type ServerDraft, targetOfDraft } from './server-draft';
import { WhatWillRun } from './what-will-run';

/** What the typed text comes to, and what can be changed about it: directory and environment. */
export function TargetDetails({
  draft,
  server,
  onDraft,
}: {
  readonly draft: ServerDraft;
  readonly server: PastedServer;
  readonly onDraft: (draft: ServerDraft) => void;
}) {
  const { environment } = useEnvironment();
  const target = targetOfDraft(draft) ?? server.target;
  const placeholders = server.placeholders ?? [];
  return (
    <>
      <div className="flex flex-col gap-1">
        <h3 className="text-muted">What will run</h3>
        <WhatWillRun target={target} />
        {placeholders.length > 0 && (
          <p className="text-warn">
            A host would fill in {placeholders.map((name) => visibleText(name)).join(', ')}; here it is sent as written.
            Replace it in the text above.
          </p>
        )}
      </div>
      {target.transport === 'stdio' && (
        <>
          <TextInput
            mono
            label="Working directory"
            value={draft.cwd}
            placeholder={environment?.cwd ?? ''}
            onChange={(cwd) => onDraft({ ...draft, cwd })}
          />
          <div className="flex flex-col gap-1">
            <h3 className="text-muted">Environment</h3>
            <EnvironmentRows draft={draft} onChange={onDraft} />
            {environment && (
              <details>
                <summary className="text-muted">
                  Besides these it inherits {environment.allowlist.length} variables, and nothing else
                </summary>
                <p className="pt-1 pl-4 font-mono text-wire break-words">{environment.allowlist.join('  ')}</p>
              </details>
            )}
          </div>
        </>
      )}
    </>
  );
}
