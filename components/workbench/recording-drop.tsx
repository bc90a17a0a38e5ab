import { useEffect, useRef, useState } from 'react';

/** File extensions for the system's dialog. Browsers compare only the part of a name after its last dot. */
const ENDINGS = '.jsonl,.gz,.mcpr,.har';

/** Opens the system's file picker for recordings, and for files with `more` endings. */
export function pickFiles(onFiles: (files: readonly File[]) => void, more = ''): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = ENDINGS + more;
  input.addEventListener('change', () => onFiles([...(input.files ?? [])]));
  input.click();
}

/** Accepts files dropped anywhere on the page, and shows a hint while they are dragged over it. */
export function RecordingDrop({
  words = 'Drop a recording, a server.json or a bundle to open it',
  onFiles,
}: {
  /** The hint, which says what a drop does. */
  readonly words?: string;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    // A child's dragenter comes before its parent's dragleave, so count both.
    let depth = 0;
    const hold = (event: DragEvent, change: number): boolean => {
      if (!event.dataTransfer?.types.includes('Files')) return false;
      event.preventDefault();
      depth += change;
      setOver(depth > 0);
      return true;
    };
    const enter = (event: DragEvent) => void hold(event, 1);
    const stay = (event: DragEvent) => void hold(event, 0);
    const leave = (event: DragEvent) => void hold(event, -1);
    const drop = (event: DragEvent) => {
      if (hold(event, -depth)) latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    const listeners = { dragenter: enter, dragover: stay, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) {
      window.addEventListener(name, listener as EventListener);
    }
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name, listener as EventListener);
      }
    };
  }, []);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center bg-bg/80">
      <p className="rounded border-2 border-accent border-dashed bg-raised px-6 py-4 text-title">{words}</p>
    </div>
  );
}
