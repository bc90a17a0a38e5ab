import { WindowedRows } from '@/components/ui/windowed-rows';
import { formatBytes } from '@/lib/wire/format-bytes';
import { HEX_ROW_BYTES, hexRow } from './hex-rows';

const ROW_HEIGHT = 18;
/** Rows a browser can scroll over; what lies beyond can be downloaded. */
const MOST_ROWS = 800_000;

/** Bytes as hex and ASCII. Only the rows in sight are rendered. */
export function HexView({ bytes }: { readonly bytes: Uint8Array }) {
  const rows = Math.min(Math.ceil(bytes.length / HEX_ROW_BYTES), MOST_ROWS);
  const left = bytes.length - rows * HEX_ROW_BYTES;
  return (
    <div>
      <WindowedRows
        count={rows}
        rowHeight={ROW_HEIGHT}
        label="Bytes"
        className="max-h-80 border border-line font-mono text-wire"
        render={(index) => {
          const row = hexRow(bytes, index);
          return (
            <pre className="px-2">
              <span className="text-muted">{row.offset}</span>
              {`  ${row.hex}  `}
              <span className="text-muted">{row.ascii}</span>
            </pre>
          );
        }}
      />
      {left > 0 && <p className="text-muted">{formatBytes(left)} more: download to see them.</p>}
    </div>
  );
}
