import { useMemo, useState } from 'react';
import { Overlay } from '@/features/intercept/lib/overlay';
import { type DefinedTool, withChange } from '@/features/intercept/lib/overlay-edit';
import { type OverlayFile, type ToolChange, writeOverlay } from '@/features/intercept/lib/overlay-file';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { serverToolFrames, serverTools } from '@/lib/store/server-tools';
import type { Failure } from '@/lib/wire/lifecycle';

/** How the host of a connection sees the tools, and how to change that. */
export interface HostOverlay {
  /** Absent: as the server lists them. */
  readonly overlay: Overlay | undefined;
  /** File of the overlay. Absent: a page has set it. */
  readonly file: string | undefined;
  /** How the host gets to know of a change: it is mcp-inspect itself, it was notified, or it has to ask again. */
  readonly learns: 'itself' | 'notified' | 'asks';
  /** The server's tools, hidden ones included; undefined while their bytes are not in the page. */
  readonly tools: readonly DefinedTool[] | undefined;
  /** The overlay that this tab set, if it is not in force since a reload of the page or a restart of the server. */
  readonly lost: OverlayFile | undefined;
  /** Resolves to true once the overlay is in force, to false if it was refused; see `failure`. */
  readonly set: (file: OverlayFile) => Promise<boolean>;
  /** Sets the change of one tool; an empty one removes it. */
  readonly change: (tool: string, change: ToolChange) => Promise<boolean>;
  /** Forgets `lost`. */
  readonly forget: () => void;
  readonly failure: Failure | undefined;
}

const NO_TOOLS: OverlayFile = { tools: {} };

/** Returns how the host of a connection sees the tools. */
export function useOverlay(log: Log): HostOverlay {
  const client = useClient();
  const state = useLogState(log, ({ connection }) => connection.overlay);
  const listing = useLogState(log, ({ tools }) => tools);
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const isTapped = useLogState(log, ({ connection: { start } }) => start !== undefined && 'tap' in start);
  const overlay = useMemo(() => readOverlayText(state?.text), [state]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frames follow from the listing
  const seqs = useMemo(() => serverToolFrames(log), [log, listing]);
  const bytes = useFrameBytes(log, seqs);
  const tools = useMemo(
    () =>
      bytes === 'here'
        ? serverTools(log, seqs).map(({ name, source }) => ({ name, definition: source.text }))
        : undefined,
    [log, seqs, bytes],
  );
  const [draft, setDraft] = useDraft(`overlay ${server}`, '');
  const lost = useMemo(() => readOverlayText(draft)?.file, [draft]);
  const [failure, setFailure] = useState<Failure>();
  const set = async (file: OverlayFile): Promise<boolean> => {
    setFailure(undefined);
    const text = writeOverlay(file);
    try {
      await client.send({ type: 'set-overlay', connection: log.connection, overlay: text });
      setDraft(isEmpty(file) ? '' : text);
      return true;
    } catch (error) {
      setFailure(error as Failure);
      return false;
    }
  };
  const isInForce = state !== undefined && state.file === undefined;
  return {
    overlay: overlay && !isEmpty(overlay.file) ? overlay : undefined,
    file: state?.file,
    learns: !isTapped ? 'itself' : (state?.notified ?? 0) > 0 ? 'notified' : 'asks',
    tools,
    lost: isInForce || !lost || isEmpty(lost) ? undefined : lost,
    set,
    change: (tool, change) => set(withChange(overlay?.file ?? NO_TOOLS, tool, change)),
    forget: () => setDraft(''),
    failure,
  };
}

function isEmpty({ tools }: OverlayFile): boolean {
  return Object.keys(tools).length === 0;
}

/** Reads an overlay from a log or the tab's storage. Undefined for none, and for one that this version can't read. */
function readOverlayText(text: string | undefined): Overlay | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return new Overlay(text);
  } catch {
    return undefined;
  }
}
