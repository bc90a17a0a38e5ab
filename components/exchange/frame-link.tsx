import { navigate } from '@/lib/hooks/location';

/** Selects a frame in the message log, and shows a field of it. */
export function FrameLink({
  seq,
  label,
  at,
}: {
  readonly seq: number;
  readonly label: string;
  /** As a JSON Pointer. */
  readonly at?: string;
}) {
  const go = () => navigate({ frame: seq, ...(at !== undefined && { view: 'pretty', at }) });
  return (
    <button type="button" className="tabular text-accent underline" onClick={go}>
      {label} #{seq}
    </button>
  );
}
