import { useMemo, useState } from 'react';
import { formatBytes } from '@/lib/wire/format-bytes';
import { decodeBase64 } from './base64';
import { BinaryNote } from './binary-note';
import { Download } from './download';
import { useBlobAddress } from './use-blob-address';

/** A server's sound, from base64, with the browser's own controls. Never plays by itself. */
export function AudioBlock({ data, mimeType }: { readonly data: string; readonly mimeType?: string }) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const type = mimeType !== undefined && /^audio\/[\w.+-]+$/.test(mimeType) ? mimeType : 'audio/wav';
  const address = useBlobAddress(bytes, type);
  const [broken, setBroken] = useState(false);
  if (bytes === undefined || broken) return <BinaryNote what="audio" bytes={bytes} mimeType={mimeType} text={data} />;
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
