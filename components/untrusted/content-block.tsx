import { type ComponentType, type ReactNode, useMemo } from 'react';
import { Badge } from '@/components/ui/badge';
import { visibleText } from '@/components/ui/visible-text';
import type { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { formatBytes } from '@/lib/wire/format';
import { AudioBlock, decodeBase64, HexView, ImageBlock, sniffImageType, UndisplayableContent } from './binary-content';
import { Download } from './download';
import { JsonTree } from './json-tree';
import { isLargeText, LargeText } from './long-text';
import { TextOrJson } from './text-or-json';
import { UntrustedText } from './untrusted-text';

interface BlockProps {
  readonly block: JsonObject;
  /** Type and annotations. */
  readonly heading: ReactNode;
  /** Draws a button next to a resource link, to read it. */
  readonly linkAction?: (uri: string) => ReactNode;
}

interface BlockType {
  /** Returns true if the block has what the component needs. Otherwise it is shown as JSON. */
  readonly fits: (block: JsonObject) => boolean;
  readonly Component: ComponentType<BlockProps>;
  /** The component draws the heading, on a line with its own buttons. */
  readonly hasHeading?: true;
}

function stringMember(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** Content types of tool results and prompt messages. */
const BLOCKS: ReadonlyMap<unknown, BlockType> = new Map<unknown, BlockType>([
  [
    'text',
    {
      fits: (block) => stringMember(block, 'text') !== undefined,
      hasHeading: true,
      Component: ({ block, heading }) => <TextOrJson text={stringMember(block, 'text') ?? ''} heading={heading} />,
    },
  ],
  [
    'image',
    {
      fits: (block) => stringMember(block, 'data') !== undefined,
      Component: ({ block }) => (
        <ImageBlock data={stringMember(block, 'data') ?? ''} mimeType={stringMember(block, 'mimeType')} />
      ),
    },
  ],
  [
    'audio',
    {
      fits: (block) => stringMember(block, 'data') !== undefined,
      Component: ({ block }) => (
        <AudioBlock data={stringMember(block, 'data') ?? ''} mimeType={stringMember(block, 'mimeType')} />
      ),
    },
  ],
  [
    'resource_link',
    {
      fits: (block) => stringMember(block, 'uri') !== undefined,
      Component: ({ block, linkAction }) => (
        <ResourceLink link={block} action={linkAction?.(stringMember(block, 'uri') ?? '')} />
      ),
    },
  ],
  [
    'resource',
    {
      fits: (block) => isObject(own(block, 'resource')),
      Component: ({ block }) => <ResourceContents contents={own(block, 'resource') as JsonObject} />,
    },
  ],
]);

/** A content block from a server. Unknown types and blocks without data are shown as JSON. */
export function ContentBlock({
  block,
  linkAction,
}: {
  readonly block: JsonSource;
  readonly linkAction?: BlockProps['linkAction'];
}) {
  const { value } = block;
  const type = isObject(value) ? own(value, 'type') : undefined;
  const known = BLOCKS.get(type);
  const written = type === 'text' ? block.member('text') : undefined;
  const large = written !== undefined && isLargeText(written) ? written : undefined;
  const whole = large === undefined && isObject(value) && known?.fits(value) === true;
  const heading = (
    <>
      <Badge>
        <UntrustedText text={typeof type === 'string' ? type : 'no type'} limit={40} />
      </Badge>
      <Annotations block={value} />
    </>
  );
  const frame = 'min-w-0 border-t border-line py-2';
  if (large) {
    return (
      <article className={frame}>
        <LargeText json={large} heading={heading} />
      </article>
    );
  }
  return (
    <article className={frame}>
      {!(whole && known.hasHeading) && <div className="mb-1 flex items-center gap-2">{heading}</div>}
      {whole ? (
        <known.Component block={value} heading={heading} linkAction={linkAction} />
      ) : (
        <>
          <p className="text-warn">
            ! {known === undefined ? 'Unknown content type' : 'The content has no data'}, shown as JSON
          </p>
          <JsonTree json={block} />
        </>
      )}
    </article>
  );
}

/** A block's annotations: audience, priority, date. */
function Annotations({ block }: { readonly block: unknown }) {
  const annotations = isObject(block) ? own(block, 'annotations') : undefined;
  if (!isObject(annotations)) return null;
  const words = Object.entries(annotations).map(
    ([key, value]) => `${key} ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return <UntrustedText text={words.join(' · ')} limit={200} className="text-small text-muted" />;
}

/** An item of a resource's `contents`, or an embedded resource: text or a base64 blob, with URI, type and size. */
export function ResourceContents({ contents }: { readonly contents: JsonObject }) {
  const uri = stringMember(contents, 'uri') ?? '';
  const mimeType = stringMember(contents, 'mimeType');
  const body = stringMember(contents, 'text');
  const blob = stringMember(contents, 'blob');
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
          name={uri}
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
        <p className="text-warn">! This item has neither text nor blob. The specification requires one of them.</p>
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
  if (bytes === undefined) return <UndisplayableContent what="blob" bytes={bytes} mimeType={mimeType} text={data} />;
  if (sniffImageType(bytes) !== undefined) return <ImageBlock data={data} mimeType={mimeType} />;
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

/** A link to a resource of the same server. Not a web link: `action` reads it through the server. */
function ResourceLink({ link, action }: { readonly link: JsonObject; readonly action?: ReactNode }) {
  const size = own(link, 'size');
  const description = stringMember(link, 'description');
  return (
    <div className="min-w-0 border-l-2 border-line pl-2">
      <p className="flex flex-wrap items-center gap-2">
        <UntrustedText
          text={stringMember(link, 'title') || stringMember(link, 'name') || 'unnamed resource'}
          limit={200}
        />
        <UntrustedText text={stringMember(link, 'uri') || 'no uri'} limit={300} className="font-mono text-wire" />
        <span className="text-muted">
          <UntrustedText text={stringMember(link, 'mimeType') ?? ''} limit={60} />
          {typeof size === 'number' && ` ${formatBytes(size)}`}
        </span>
        {action}
      </p>
      {description && (
        <p className="text-muted">
          <UntrustedText text={description} />
        </p>
      )}
    </div>
  );
}
