import { formatCount } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import { formatBytes } from '@/lib/wire/format-bytes';
import { Download } from './download';
import { HexView } from './hex-view';
import { LongText } from './long-text';

interface BinaryNoteProps {
  /** What the server said it was: `image`, `audio`. */
  readonly what: string;
  /** undefined if `text` was not base64. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly mimeType?: string;
  /** The base64 as sent. */
  readonly text: string;
}

/** Content that was announced as something we draw and is not: what is wrong with it, and what it holds. */
export function BinaryNote({ what, bytes, mimeType, text }: BinaryNoteProps) {
  const said = visibleText(mimeType?.slice(0, 60) ?? 'no MIME type');
  if (bytes === undefined) {
    return (
      <div>
        <p className="text-error">
          × The server sent {what} ({said}) whose data is not base64: {formatCount(text.length)} characters, shown as
          sent.
        </p>
        <LongText text={text} />
      </div>
    );
  }
  return (
    <div>
      <p className="flex items-center gap-2 text-warn">
        ! The server sent {what} ({said}), but its {formatBytes(bytes.length)} are nothing we draw.
        <Download content={bytes} name={what} />
      </p>
      <HexView bytes={bytes} />
    </div>
  );
}
