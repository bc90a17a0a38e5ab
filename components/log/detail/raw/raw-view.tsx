import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { formatCount } from '@/components/ui/format';
import { Download } from '@/components/untrusted/download';
import { useDraft } from '@/lib/hooks/use-draft';
import { formatBytes } from '@/lib/wire/format-bytes';
import { type RawMark, RawRuns } from './raw-runs';
import { RawWindow } from './raw-window';

/** What is laid out at once, as one text; of more only the rows in sight are. */
const WHOLE_BYTES = 64 * 1024;

/** A frame's bytes as text, exactly, hidden and invalid ones as marked escapes; and ways to take them along. */
export function RawView({
  bytes,
  text,
  name,
  marks,
}: {
  readonly bytes: Uint8Array;
  /** All of it as text; asked for when it is copied. */
  readonly text: () => string;
  /** For the file that it is saved to. */
  readonly name: string;
  readonly marks: readonly RawMark[];
}) {
  const [wrap, setWrap] = useDraft('raw wrap', true);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-1 border-b border-line px-2 py-1">
        <span className="tabular mr-auto text-muted" title={`${formatCount(bytes.length)} bytes`}>
          {formatBytes(bytes.length)}
        </span>
        <Button variant="ghost" size="small" aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          {wrap ? 'Don’t wrap' : 'Wrap'}
        </Button>
        <CopyButton label="Copy raw" text={text} />
        <Download label="Save" content={() => new Uint8Array(bytes)} name={name} />
      </div>
      {bytes.length === 0 ? (
        <p className="p-2 text-muted">An empty line: 0 bytes.</p>
      ) : bytes.length > WHOLE_BYTES ? (
        <RawWindow bytes={bytes} wrap={wrap} marks={marks} />
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
          tabIndex={0}
          className={`min-h-0 flex-1 overflow-auto p-2 font-mono text-wire ${wrap ? 'break-all whitespace-pre-wrap' : 'whitespace-pre'}`}
        >
          <RawRuns bytes={bytes} from={0} to={bytes.length} marks={marks} />
        </pre>
      )}
    </div>
  );
}
