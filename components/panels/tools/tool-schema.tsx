import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { JsonTree } from '@/components/untrusted/json-tree';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { IconFacts } from '@/components/untrusted/server-icon';
import { TOOL_NOTES } from '@/features/notes';
import { JsonSource } from '@/lib/json/source';
import { own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { entrySource } from '@/lib/store/message-source';
import type { ToolEntry } from '@/lib/store/state/state';
import { ListedIn } from '../shared/freshness';
import { ResultTypes } from './result-types-view';

/** A tool's schemas as the server wrote them, the frame that lists it, and the type of its results. */
export function ToolSchema({
  log,
  tool,
  calledAs,
}: {
  readonly log: Log;
  readonly tool: ToolEntry;
  /** The server's name of the tool, which calls in the log have. */
  readonly calledAs: string;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {TOOL_NOTES.map((Notes, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <Suspense key={at}>
          <Notes log={log} tool={tool.name} />
        </Suspense>
      ))}
      <Written log={log} tool={tool} member="inputSchema" />
      <Written log={log} tool={tool} member="outputSchema" />
      <div className="flex flex-col gap-1 border-t border-line pt-2 text-small text-muted">
        <ListedIn log={log} seq={tool.seq} />
        <IconFacts entry={tool.raw} />
        <Opened label="Inferred result type">
          <RenderGuard fallback={<p className="text-warn">! These types can’t be shown</p>}>
            <ResultTypes key={tool.key} log={log} tool={tool} calledAs={calledAs} />
          </RenderGuard>
        </Opened>
        <Opened label="Whole definition">
          <WrittenTree log={log} tool={tool} />
        </Opened>
      </div>
    </div>
  );
}

/** A line that opens. Its content is drawn only while it is open. */
function Opened({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="min-w-0" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {open && children}
    </details>
  );
}

interface WrittenProps {
  readonly log: Log;
  readonly tool: ToolEntry;
  /** The member to show; the whole tool if absent. */
  readonly member?: string;
}

/** A member of a tool under its name, as the server wrote it. */
function Written({ log, tool, member }: WrittenProps & { readonly member: string }) {
  if (own(tool.raw, member) === undefined) return null;
  return (
    <section aria-label={member} className="min-w-0">
      <h4 className="mb-1 font-mono text-wire text-muted">{member}</h4>
      <WrittenTree log={log} tool={tool} member={member} />
    </section>
  );
}

function WrittenTree({ log, tool, member }: WrittenProps) {
  const json = useMemo(() => {
    const whole = entrySource(log, 'tools', tool) ?? JsonSource.of(tool.raw);
    return member === undefined ? whole : whole.member(member);
  }, [log, tool, member]);
  return (
    <RenderGuard fallback={<p className="text-warn">! Nested too deeply to display</p>}>
      {json && <JsonTree json={json} />}
    </RenderGuard>
  );
}
