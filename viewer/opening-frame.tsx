import { useEffect, useRef, useState } from 'react';
import { NARROW } from '@/components/ui/media';
import { useConnections } from '@/lib/hooks/connections';
import { navigate, parseQuery } from '@/lib/hooks/location';
import { useLog, useLogSize } from '@/lib/hooks/log';
import { useCheckedFrames, useProblems } from '@/lib/hooks/problems';
import { invalidResult } from '@/lib/problems/invalid-result';
import { openingFrame } from '@/lib/sharing/opening-frame';
import type { Log } from '@/lib/store/log';
import type { ConnectionSummary } from '@/lib/wire/command';

/** How long the page waits for the rules to check the results before the frame to open, in ms. */
const RULES_WAIT_MS = 2000;

/** Opens the frame that a reader wants to see first, unless the address or the reader chose another place. */
export function OpeningFrame() {
  const { connections } = useConnections();
  const recording = connections[0];
  useFrameInAddress();
  return recording && <OpeningFrameOf connection={recording} />;
}

function OpeningFrameOf({ connection: { id, recording } }: { readonly connection: ConnectionSummary }) {
  const log = useLog(id);
  const size = useLogSize(log);
  const problems = useProblems(log);
  const checked = useCheckedFrames(log);
  const { report, failure } = recording ?? {};
  const isRead = size > 0 && size >= (report?.last ?? (failure === undefined ? Number.POSITIVE_INFINITY : log.last));
  const waited = useWaited(isRead);
  const isOpened = useRef(false);
  useEffect(() => {
    if (!isRead || isOpened.current) return;
    if (!waited && checked < size) return;
    isOpened.current = true;
    const frame = openingFrame(log, (seq) => invalidResult(problems.of(seq)) !== undefined);
    if (frame !== undefined && !hasPlace()) navigate({ frame, ...panelOf(log, frame) }, { replace: true });
  }, [isRead, waited, checked, log, size, problems]);
  return null;
}

/** Returns the panel and item of the tool that a frame calls. A narrow page shows only the log, so it has none. */
function panelOf(log: Log, frame: number): { readonly panel?: string; readonly item?: string } {
  const { method, name } = log.row(frame - 1);
  if (method !== 'tools/call' || matchMedia(NARROW).matches) return {};
  const tool = log.state.tools.items.find((entry) => entry.name === name);
  return tool ? { panel: 'tools', item: tool.key } : {};
}

/** Returns true `RULES_WAIT_MS` after `isRead` became true. */
function useWaited(isRead: boolean): boolean {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    if (!isRead) return;
    const timer = setTimeout(() => setWaited(true), RULES_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isRead]);
  return waited;
}

/** Returns true if the address names a place in the recording. */
function hasPlace(): boolean {
  const { connection, page, http, ...place } = parseQuery(window.location.search);
  return Object.values(place).some((value) => value !== undefined);
}

/** Opens frame 118 of `recording.html#118`. */
function useFrameInAddress(): void {
  useEffect(() => {
    const open = () => {
      const { pathname, search, hash } = window.location;
      const [, frame] = /^#([1-9]\d{0,14})$/.exec(hash) ?? [];
      if (frame === undefined) return;
      // Another frame may be selected later.
      window.history.replaceState(null, '', pathname + search);
      navigate({ frame: Number(frame) }, { replace: true });
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, []);
}
