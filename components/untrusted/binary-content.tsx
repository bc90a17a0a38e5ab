import { useEffect, useMemo, useState } from 'react';
import { VirtualRows } from '@/components/ui/virtual-rows';
import { visibleText } from '@/components/ui/visible-text';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { Download } from './download';
import { LongText } from './long-text';

/**
 * A server's image, from base64. Its first bytes say what it is; png, jpeg, gif, webp and svg are drawn, in an `<img>` on a
 * blob, where svg can neither run nor load anything.
 */
export function ImageBlock({ data, mimeType }: { readonly data: string; readonly mimeType?: string }) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const type = bytes && sniffImageType(bytes);
  const address = useBlobUrl(type ? bytes : undefined, type ?? '');
  const [pixels, setPixels] = useState<string>();
  if (bytes === undefined || type === undefined)
    return <UndisplayableContent what="image" bytes={bytes} mimeType={mimeType} text={data} />;
  return (
    <figure className="min-w-0">
      {address && pixels !== 'broken' && (
        // biome-ignore lint/performance/noImgElement: a static export has no image optimiser, and a blob needs none
        <img
          src={address}
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
        {pixels === 'broken' && <span className="text-error">× The browser can't draw this image.</span>}
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

/** A server's sound, from base64, with the browser's own controls. Never plays by itself. */
export function AudioBlock({ data, mimeType }: { readonly data: string; readonly mimeType?: string }) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const type = mimeType !== undefined && /^audio\/[\w.+-]+$/.test(mimeType) ? mimeType : 'audio/wav';
  const address = useBlobUrl(bytes, type);
  const [broken, setBroken] = useState(false);
  if (bytes === undefined || broken)
    return <UndisplayableContent what="audio" bytes={bytes} mimeType={mimeType} text={data} />;
  return (
    <div>
      {address && (
        // biome-ignore lint/a11y/useMediaCaption: a server sends no captions
        <audio
          controls
          preload="metadata"
          src={address}
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
export function UndisplayableContent({ what, bytes, mimeType, text }: BinaryNoteProps) {
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

const ROW_HEIGHT = 18;
/** Rows a browser can scroll over; what lies beyond can be downloaded. */
const MOST_ROWS = 800_000;

/** Bytes as hex and ASCII. Only the rows in sight are rendered. */
export function HexView({ bytes }: { readonly bytes: Uint8Array }) {
  const rows = Math.min(Math.ceil(bytes.length / HEX_ROW_BYTES), MOST_ROWS);
  const left = bytes.length - rows * HEX_ROW_BYTES;
  return (
    <div>
      <VirtualRows
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

/** Bytes in a row of the hex view. */
const HEX_ROW_BYTES = 16;

/** One row: offset, bytes in hex, bytes as ASCII with dots for what has no shape. */
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

/** A `blob:` address for bytes while the component is mounted; undefined until it is there. */
function useBlobUrl(bytes: Uint8Array<ArrayBuffer> | undefined, mimeType: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (bytes === undefined) return;
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
    setAddress(made);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(made);
    };
  }, [bytes, mimeType]);
  return address;
}

/** Bytes of base64 or base64url text, white space ignored; undefined if it is no base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}

const ascii = (bytes: Uint8Array, start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end));

/** Images we draw, by their first bytes: what a server calls them counts for nothing. */
const IMAGES: readonly (readonly [type: string, is: (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => ascii(bytes, 1, 4) === 'PNG'],
  ['image/jpeg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ['image/gif', (bytes) => ascii(bytes, 0, 4) === 'GIF8'],
  ['image/webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
  [
    'image/svg+xml',
    (bytes) => /^\s*(?:<\?xml|<!--|<!doctype svg|<svg)/i.test(ascii(bytes, 0, 256).replace(/^ï»¿/, '')),
  ],
];

/** The MIME type of an image we draw; undefined for anything else. */
export function sniffImageType(bytes: Uint8Array): string | undefined {
  return IMAGES.find(([, is]) => is(bytes))?.[0];
}
