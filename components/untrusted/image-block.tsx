import { useMemo, useState } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { formatBytes } from '@/lib/wire/format-bytes';
import { decodeBase64, imageType } from './base64';
import { BinaryNote } from './binary-note';
import { Download } from './download';
import { useBlobAddress } from './use-blob-address';

/**
 * A server's image, from base64. Its first bytes say what it is; png, jpeg, gif, webp and svg are drawn, in an `<img>` on a
 * blob, where svg can neither run nor load anything.
 */
export function ImageBlock({ data, mimeType }: { readonly data: string; readonly mimeType?: string }) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const type = bytes && imageType(bytes);
  const address = useBlobAddress(type ? bytes : undefined, type ?? '');
  const [pixels, setPixels] = useState<string>();
  if (bytes === undefined || type === undefined)
    return <BinaryNote what="image" bytes={bytes} mimeType={mimeType} text={data} />;
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
