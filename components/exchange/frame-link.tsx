import { navigate } from '@/lib/hooks/location';

/** Selects a frame in the message log, optionally showing one of its fields. */
export function FrameLink({
  seq,
  label,
  short = false,
  at,
}: {
  readonly seq: number;
  readonly label: string;
  /** Shows only the number, where the place says what it is. */
  readonly short?: boolean;
  /** Field to show, as a JSON Pointer. */
  readonly at?: string;
}) {
  const go = () => navigate({ frame: seq, ...(at !== undefined && { view: 'pretty', at }) });
  return (
    <button
      type="button"
      aria-label={short ? `${label} #${seq}` : undefined}
      title={short ? `${label} #${seq}` : undefined}
      className="tabular text-link"
      onClick={go}
    >
      {!short && label} #{seq}
    </button>
  );
}

/** Links to a request and its response, if there is one: #4 → #7. */
export function ExchangeLinks({
  request,
  response,
  isShort = false,
}: {
  readonly request: number;
  readonly response: number | undefined;
  /** Leaves out the request in a narrow window: the detail of the response leads there. */
  readonly isShort?: boolean;
}) {
  return (
    <span>
      <span className={isShort && response !== undefined ? 'narrow:hidden' : undefined}>
        <FrameLink seq={request} label="request" short />
        {response !== undefined && ' → '}
      </span>
      {response !== undefined && <FrameLink seq={response} label="response" short />}
    </span>
  );
}
