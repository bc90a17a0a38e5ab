import { useMemo, useState } from 'react';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { Download } from './download';
import { declaredSize, decodeBase64, sniffImageType, useBlobUrl } from './image-bytes';
import { LongText } from './long-text';

/** Most pixels of an image that the browser decodes: 256 MB of memory. */
const MOST_PIXELS = 64 * 2 ** 20;

/**
 * A server's base64 image. The type is taken from its first bytes: png, jpeg, gif, webp or svg. It is shown in an
 * `<img>` from a blob URL, where svg can neither run scripts nor load anything.
 */
export function ImageBlock({ data, mimeType }: { readonly data: string; readonly mimeType?: string }) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const type = bytes && sniffImageType(bytes);
  const [width, height] = (bytes && type !== undefined && declaredSize(bytes, type)) || [0, 0];
  const isHuge = width * height > MOST_PIXELS;
  const url = useBlobUrl(type && !isHuge ? bytes : undefined, type ?? '');
  const [pixels, setPixels] = useState<string>();
  if (bytes === undefined || type === undefined)
    return <UndisplayableContent what="image" bytes={bytes} mimeType={mimeType} text={data} />;
  return (
    <figure className="min-w-0">
      {url && pixels !== 'broken' && (
        // biome-ignore lint/performance/noImgElement: a static export has no image optimiser, and a blob needs none
        <img
          src={url}
          alt={`${type}, ${formatBytes(bytes.length)}`}
          decoding="async"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setPixels(`${naturalWidth} × ${naturalHeight}`)
          }
          onError={() => setPixels('broken')}
          className="max-h-96 max-w-full border border-line object-contain"
        />
      )}
      <figcaption className="flex items-center gap-2 text-muted">
        {pixels === 'broken' && <span className="text-error">× The browser can’t show this image</span>}
        {isHuge && (
          <span className="text-warn">
            ! {formatCount(width)} × {formatCount(height)} px: too large to show
          </span>
        )}
        <span>
          {type} · {formatBytes(bytes.length)}
          {pixels && pixels !== 'broken' && ` · ${pixels}`}
          {mimeType !== undefined && mimeType !== type && ` · sent as ${visibleText(mimeType.slice(0, 60))}`}
        </span>
        <Download content={bytes} name={`image.${type.slice(6).replace('+xml', '')}`} />
      </figcaption>
    </figure>
  );
}

/** A server's base64 audio with the browser's controls. Never plays automatically. */
export function AudioBlock({ data, mimeType }: { readonly data: string; readonly mimeType?: string }) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const type = mimeType !== undefined && /^audio\/[\w.+-]+$/.test(mimeType) ? mimeType : 'audio/wav';
  const url = useBlobUrl(bytes, type);
  const [broken, setBroken] = useState(false);
  if (bytes === undefined || broken)
    return <UndisplayableContent what="audio" bytes={bytes} mimeType={mimeType} text={data} />;
  return (
    <div>
      {url && (
        // biome-ignore lint/a11y/useMediaCaption: servers send no captions
        <audio
          controls
          preload="metadata"
          src={url}
          aria-label={`${type}, ${formatBytes(bytes.length)}`}
          onError={() => setBroken(true)}
          className="h-9 max-w-full"
        />
      )}
      <p className="flex items-center gap-2 text-muted">
        {type} · {formatBytes(bytes.length)}
        <Download content={bytes} name="audio" />
      </p>
    </div>
  );
}

interface UndisplayableContentProps {
  /** Type the server declared: `image`, `audio`. */
  readonly what: string;
  /** undefined if `text` is not base64. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly mimeType?: string;
  /** The base64 as sent. */
  readonly text: string;
}

/** Content that is not what the server declared: says why it can't be shown, and shows the bytes. */
export function UndisplayableContent({ what, bytes, mimeType, text }: UndisplayableContentProps) {
  const declared = visibleText(mimeType?.slice(0, 60) ?? 'no MIME type');
  if (bytes === undefined) {
    return (
      <div>
        <p className="text-error">
          × The {what} data ({declared}) is not base64. Shown as sent ({formatCount(text.length)} characters).
        </p>
        <LongText text={text} />
      </div>
    );
  }
  return (
    <div>
      <p className="flex items-center gap-2 text-warn">
        ! Not valid {what} data ({declared}, {formatBytes(bytes.length)}). Shown as bytes.
        <Download content={bytes} name={what} />
      </p>
      <HexView bytes={bytes} />
    </div>
  );
}

/** Height of a row of the hex view, in px. */
const ROW_HEIGHT = 18;

/** Bytes as hex and ASCII, in a virtual list. */
export function HexView({ bytes }: { readonly bytes: Uint8Array }) {
  return (
    <VirtualRows
      count={Math.ceil(bytes.length / HEX_ROW_BYTES)}
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
  );
}

/** Bytes in a row of the hex view. */
const HEX_ROW_BYTES = 16;

/** Returns one row: offset, bytes in hex, and bytes as ASCII with dots for unprintable ones. */
export function hexRow(bytes: Uint8Array, row: number): { offset: string; hex: string; ascii: string } {
  const start = row * HEX_ROW_BYTES;
  const part = [...bytes.subarray(start, start + HEX_ROW_BYTES)];
  const hex = part.map((byte, index) => `${index === 8 ? ' ' : ''}${byte.toString(16).padStart(2, '0')}`).join(' ');
  return {
    offset: start.toString(16).padStart(8, '0'),
    hex: hex.padEnd(HEX_ROW_BYTES * 3),
    ascii: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
  };
}
