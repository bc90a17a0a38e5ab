import { useMemo } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { formatBytes } from '@/lib/wire/format-bytes';
import { type JsonObject, own } from '@/lib/wire/message';
import { AudioBlock } from './audio-block';
import { decodeBase64, imageType } from './base64';
import { BinaryNote } from './binary-note';
import { Download } from './download';
import { HexView } from './hex-view';
import { ImageBlock } from './image-block';
import { TextOrJson } from './text-or-json';
import { UntrustedText } from './untrusted-text';

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** One item of a resource's `contents`, or an embedded resource: text, or a blob in base64, with its address, type and size. */
export function ResourceContents({ contents }: { readonly contents: JsonObject }) {
  const uri = text(own(contents, 'uri')) ?? '';
  const mimeType = text(own(contents, 'mimeType'));
  const body = text(own(contents, 'text'));
  const blob = text(own(contents, 'blob'));
  const heading = (
    <>
      <UntrustedText text={uri || 'no uri'} limit={300} className="font-mono text-wire" />
      <span className="text-muted">
        <UntrustedText text={mimeType ?? 'no mimeType'} limit={60} />
        {body !== undefined && ` · ${formatBytes(new Blob([body]).size)}`}
      </span>
    </>
  );
  return (
    <section aria-label={visibleText(uri || 'Contents')} className="min-w-0">
      {body === undefined ? (
        <div className="flex flex-wrap items-center gap-x-2">{heading}</div>
      ) : (
        <TextOrJson
          text={body}
          mimeType={mimeType}
          heading={
            <>
              {heading}
              <Download content={body} name={uri} />
            </>
          }
        />
      )}
      {blob !== undefined && <BlobContents data={blob} mimeType={mimeType} name={uri} />}
      {body === undefined && blob === undefined && (
        <p className="text-warn">! This item has neither text nor blob: the specification asks for one of them.</p>
      )}
    </section>
  );
}

function BlobContents({
  data,
  mimeType,
  name,
}: {
  readonly data: string;
  readonly mimeType?: string;
  readonly name: string;
}) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  if (bytes === undefined) return <BinaryNote what="a blob" bytes={bytes} mimeType={mimeType} text={data} />;
  if (imageType(bytes) !== undefined) return <ImageBlock data={data} mimeType={mimeType} />;
  if (mimeType?.startsWith('audio/')) return <AudioBlock data={data} mimeType={mimeType} />;
  return (
    <div>
      <p className="flex items-center gap-2 text-muted">
        {formatBytes(bytes.length)}
        <Download content={bytes} name={name} />
      </p>
      <HexView bytes={bytes} />
    </div>
  );
}
