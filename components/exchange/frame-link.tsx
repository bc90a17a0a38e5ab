import { navigate } from '@/lib/hooks/use-location';

/** Selects a frame in the message log. */
export function FrameLink({ seq, label }: { readonly seq: number; readonly label: string }) {
  return (
    <button type="button" className="tabular text-accent underline" onClick={() => navigate({ frame: seq })}>
      {label} #{seq}
    </button>
  );
}
