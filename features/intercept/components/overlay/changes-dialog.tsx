import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { saveFile } from '@/components/untrusted/download';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Overlay } from '@/features/intercept/lib/overlay';
import { definitionTokens, overlayPatch, shownDefinition } from '@/features/intercept/lib/overlay-edit';
import { OVERLAY_CHARS, readOverlay, type ToolChange, writeOverlay } from '@/features/intercept/lib/overlay-file';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { TokenChange } from './token-change';
import type { HostOverlay } from './use-overlay';

/** Name of an overlay's file. */
const OVERLAY_FILE = 'mcp-inspect.overlay.json';
const LEARNS: Readonly<Record<HostOverlay['learns'], string>> = {
  itself: '',
  notified: 'mcp-inspect notified the host that its list has changed.',
  asks: 'The host sees changes once it asks for its list of tools again.',
};
/** Most changes listed. */
const MOST_SHOWN = 500;

interface ChangesDialogProps {
  readonly host: HostOverlay;
  readonly isReadOnly: boolean;
  /** Name of the server, for the names of files. */
  readonly server: string;
  readonly onOpen: (tool: string, part: 'edit' | 'compare') => void;
  readonly onClose: () => void;
}

/** All tools that the host sees otherwise than the server lists them. */
export function ChangesDialog({ host, isReadOnly, server, onOpen, onClose }: ChangesDialogProps) {
  const { overlay, tools = [], file, learns, set, change, failure } = host;
  const [wrong, setWrong] = useState<Failure>();
  const entries = Object.entries(overlay?.file.tools ?? {});
  const definitions = new Map(tools.map(({ name, definition }) => [name, definition]));
  const upload = async (chosen: File | undefined) => {
    if (!chosen) return;
    setWrong(undefined);
    try {
      // A UTF-16 unit has at most three bytes in UTF-8.
      if (chosen.size > 3 * OVERLAY_CHARS) throw tooLong(chosen.name);
      await set(readOverlay(await chosen.text()));
    } catch (error) {
      setWrong(error as Failure);
    }
  };
  const seen = failure ?? wrong;
  return (
    <Dialog title="Tools as the host sees them" width="wide" onClose={onClose}>
      <div className="flex min-w-0 flex-col gap-3">
        {entries.length === 0 ? (
          <EmptyState title="The host sees the server’s tools as they are">
            Choose “Override for clients…” in the menu of a tool, or open an overlay file
          </EmptyState>
        ) : (
          <>
            <p className="text-muted empty:hidden">
              {file !== undefined && (
                <>
                  From <UntrustedText text={file} limit={200} className="font-mono text-wire" />.{' '}
                </>
              )}
              {LEARNS[learns]}
            </p>
            <ul aria-label="Changed tools" className="flex min-w-0 flex-col divide-y divide-line border-y border-line">
              {entries.slice(0, MOST_SHOWN).map(([tool, toolChange]) => (
                <ChangeRow
                  key={tool}
                  {...{ tool, overlay, isReadOnly, onOpen }}
                  change={toolChange}
                  definition={definitions.get(tool)}
                  onReset={() => void change(tool, {})}
                />
              ))}
            </ul>
            {entries.length > MOST_SHOWN && (
              <p className="text-muted">{countOf(entries.length - MOST_SHOWN, 'more tool')}</p>
            )}
            <Totals host={host} />
          </>
        )}
        {seen && <ErrorNote failure={seen} codeless />}
        <footer className="flex flex-wrap gap-2">
          {overlay && (
            <>
              <Button data-autofocus onClick={() => saveFile(writeOverlay(overlay.file), OVERLAY_FILE)}>
                Export overlay
              </Button>
              <Button
                title="A unified diff of the definitions, for the author of the server"
                onClick={() => saveFile(overlayPatch(overlay, tools), `${server || 'server'}-tools.patch`)}
              >
                Export patch
              </Button>
            </>
          )}
          {!isReadOnly && (
            <label className="inline-flex h-7 cursor-pointer items-center rounded border border-line bg-raised px-2.5 focus-within:outline-2 focus-within:outline-accent hover:border-control">
              Open overlay…
              <input
                type="file"
                accept=".json"
                className="sr-only"
                onChange={({ target }) => {
                  void upload(target.files?.[0]);
                  target.value = '';
                }}
              />
            </label>
          )}
          {overlay && !isReadOnly && (
            <Button variant="danger" className="ml-auto" onClick={() => void set({ tools: {} })}>
              Reset all
            </Button>
          )}
        </footer>
      </div>
    </Dialog>
  );
}

interface ChangeRowProps {
  readonly tool: string;
  readonly change: ToolChange;
  readonly overlay: Overlay | undefined;
  /** undefined if the server does not list the tool. */
  readonly definition: string | undefined;
  readonly isReadOnly: boolean;
  readonly onOpen: (tool: string, part: 'edit' | 'compare') => void;
  readonly onReset: () => void;
}

function ChangeRow({ tool, change, overlay, definition, isReadOnly, onOpen, onReset }: ChangeRowProps) {
  const about = (verb: string) => `${verb} ${tool.slice(0, 100)}`;
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 narrow:basis-full">
        <UntrustedText text={tool} limit={200} className="min-w-0 font-mono text-wire break-words" />
        {change.name !== undefined && (
          <>
            <span aria-hidden="true">→</span>
            <span className="sr-only">renamed to</span>
            <UntrustedText text={change.name} limit={200} className="min-w-0 font-mono text-wire break-words" />
          </>
        )}
        {change.hidden && <Badge tone="warn">hidden</Badge>}
        <span className="text-small text-muted">{changedMembers(change)}</span>
      </span>
      {definition === undefined ? (
        <span className="text-small text-warn">! The server does not list it</span>
      ) : (
        <TokenChange
          before={definitionTokens(definition)}
          after={change.hidden ? 0 : definitionTokens(shownDefinition(overlay, tool, definition))}
        />
      )}
      <span className="ml-auto flex gap-1">
        {definition !== undefined && (
          <Button size="small" aria-label={about('Compare')} onClick={() => onOpen(tool, 'compare')}>
            Compare
          </Button>
        )}
        {definition !== undefined && !isReadOnly && (
          <Button size="small" aria-label={about('Edit')} onClick={() => onOpen(tool, 'edit')}>
            Edit
          </Button>
        )}
        {!isReadOnly && (
          <Button size="small" aria-label={about('Reset')} onClick={onReset}>
            Reset
          </Button>
        )}
      </span>
    </li>
  );
}

/** Names the changed members, apart from the name, which is shown. */
function changedMembers({ name: _, hidden: __, ...members }: ToolChange): string {
  return Object.keys(members).join(', ');
}

/** The tokens of all tools together. */
function Totals({ host: { overlay, tools } }: { readonly host: HostOverlay }) {
  if (!overlay || !tools) return null;
  const before = tools.reduce((sum, { definition }) => sum + definitionTokens(definition), 0);
  const after = tools.reduce((sum, { name, definition }) => {
    const shown = overlay.definition(name, definition);
    return shown === undefined ? sum : sum + definitionTokens(shown);
  }, 0);
  return (
    <p className="flex gap-2 text-small text-muted">
      All tools: <TokenChange before={before} after={after} />
    </p>
  );
}

function tooLong(name: string): Error & Failure {
  return Object.assign(new Error(`\`${name.slice(0, 100)}\` is too long for an overlay.`), {
    code: 'bad-overlay',
    advice: 'Choose an overlay file.',
  });
}
