import { navigate } from '@/lib/hooks/location';

/** Selects a frame in the message log, optionally showing one of its fields. */
export function FrameLink({
  seq,
  label,
  at,
}: {
  readonly seq: number;
  readonly label: string;
  /** Field to show, as a JSON Pointer. */
  readonly at?: string;
}) {
  const go = () => navigate({ frame: seq, ...(at !== undefined && { view: 'pretty', at }) });
  return (
    // The padding makes it easier to press, and takes no room.
    <button type="button" className="tabular -my-1 py-1 text-accent underline" onClick={go}>
      {label} #{seq}
    </button>
  );
}
