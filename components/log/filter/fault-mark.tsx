import type { FilterFault } from '@/lib/filter/fault';

/** A wave under the characters where a filter goes wrong: the same text in the same place, but only its underline shows. */
export function FaultMark({
  text,
  fault: { at, end },
  scrolled,
}: {
  readonly text: string;
  readonly fault: FilterFault;
  /** How far the text box is scrolled, in px. */
  readonly scrolled: number;
}) {
  // Where nothing stands, the place is marked where something should.
  const wrong = text.slice(at, end) || '\u00a0';
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-px left-[9px] right-7 flex items-center overflow-hidden font-mono text-wire text-transparent"
    >
      <span className="whitespace-pre" style={{ transform: `translateX(${-scrolled}px)` }}>
        {text.slice(0, at)}
        <span
          data-fault-at={at}
          className="underline decoration-error decoration-wavy decoration-from-font underline-offset-3"
        >
          {wrong}
        </span>
      </span>
    </div>
  );
}
