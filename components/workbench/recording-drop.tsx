import { useEffect, useRef, useState } from 'react';

/** What may be chosen in the system's dialog: browsers look at the last ending only. */
const ENDINGS = '.jsonl,.gz,.mcpr,.har';

/** Asks the system for files. */
export function pickFiles(onFiles: (files: readonly File[]) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = ENDINGS;
  input.addEventListener('change', () => onFiles([...(input.files ?? [])]));
  input.click();
}

/** Takes files that are dropped anywhere on the page, and says so while they hover over it. */
export function RecordingDrop({
  words = 'Drop a recording to open it',
  onFiles,
}: {
  /** What a drop does. */
  readonly words?: string;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const [over, setOver] = useState(false);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    // Entering a part of the page comes before leaving the one around it.
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
      if (hold(event, -depth)) take.current([...(event.dataTransfer?.files ?? [])]);
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
