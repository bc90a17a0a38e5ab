import { type ComponentType, lazy, type ReactNode, Suspense, useMemo } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import type { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import { formatBytes } from '@/lib/wire/format';
import { AudioBlock, HexView, ImageBlock, UndisplayableContent } from './binary-content';
import { Download } from './download';
import { decodeBase64, sniffImageType } from './image-bytes';
import { JsonTree } from './json-tree';
import { isLargeText, LargeText } from './long-text';
import { TextOrJson } from './text-or-json';
import { UntrustedText } from './untrusted-text';

const PdfDocument = lazy(() => import('./pdf-document'));

interface BlockProps {
  readonly block: JsonObject;
  /** The block as the server wrote it. */
  readonly source: JsonSource;
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
  [
    'tool_use',
    {
      fits: (block) => stringMember(block, 'name') !== undefined,
      Component: ({ block, source }) => <ToolUse use={block} input={source.member('input')} />,
    },
  ],
  [
    'tool_result',
    {
      fits: (block) => Array.isArray(own(block, 'content')),
      Component: ({ block, source }) => <ToolResult result={block} source={source} />,
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
      <UntrustedText
        text={typeof type === 'string' ? type : 'no type'}
        limit={40}
        className="font-mono text-small text-muted"
      />
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
        <known.Component block={value} source={block} heading={heading} linkAction={linkAction} />
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

/** A model's call of a tool, in a sampling conversation. */
function ToolUse({ use, input }: { readonly use: JsonObject; readonly input: JsonSource | undefined }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap gap-x-2">
        <UntrustedText text={stringMember(use, 'name') ?? ''} limit={200} className="font-mono text-wire" />
        <UntrustedText text={stringMember(use, 'id') ?? 'no id'} limit={100} className="text-muted" />
      </p>
      {input && <JsonTree json={input} />}
    </div>
  );
}

/** Blocks of a tool's result that are shown. */
const MOST_RESULT_BLOCKS = 50;

/** A tool's result as the model got it, in a sampling conversation. */
function ToolResult({ result, source }: { readonly result: JsonObject; readonly source: JsonSource }) {
  const structured = source.member('structuredContent');
  return (
    <div className="min-w-0 border-l-2 border-line pl-2">
      <p className="flex flex-wrap gap-x-2">
        <UntrustedText text={stringMember(result, 'toolUseId') ?? 'no toolUseId'} limit={100} className="text-muted" />
        {own(result, 'isError') === true && <span className="text-error">× isError</span>}
      </p>
      {source
        .member('content')
        ?.children(MOST_RESULT_BLOCKS)
        .children.map(({ source: block }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
          <ContentBlock key={index} block={block} />
        ))}
      {structured && <JsonTree json={structured} />}
    </div>
  );
}

/** A block's annotations: audience, priority, date. */
function Annotations({ block }: { readonly block: unknown }) {
  const annotations = isObject(block) ? own(block, 'annotations') : undefined;
  if (!isObject(annotations)) return null;
  const words = Object.entries(annotations).map(
    ([key, value]) => `${key} ${Array.isArray(value) ? value.map(textOrJson).join(', ') : textOrJson(value)}`,
  );
  return <UntrustedText text={words.join(' · ')} limit={200} className="text-small text-muted" />;
}

interface ResourceContentsProps {
  readonly contents: JsonObject;
  /** A URI that is shown above and need not be repeated. */
  readonly readUri?: string;
}

/** An item of a resource's `contents`, or an embedded resource: text or a base64 blob, with URI, type and size. */
export function ResourceContents({ contents, readUri }: ResourceContentsProps) {
  const uri = stringMember(contents, 'uri') ?? '';
  const mimeType = stringMember(contents, 'mimeType');
  const text = stringMember(contents, 'text');
  const blob = stringMember(contents, 'blob');
  const heading = (size?: number, content?: string | Uint8Array<ArrayBuffer>) => (
    <>
      {uri !== readUri && <UntrustedText text={uri || 'no uri'} limit={300} className="font-mono text-wire" />}
      <span className="text-muted">
        <UntrustedText text={mimeType ?? 'no mimeType'} limit={60} />
        {size !== undefined && ` · ${formatBytes(size)}`}
      </span>
      {content !== undefined && <Download content={content} name={uri} />}
    </>
  );
  return (
    <section aria-label={visibleText(uri || 'Contents')} className="min-w-0">
      {text !== undefined && (
        <TextOrJson text={text} mimeType={mimeType} name={uri} heading={heading(new Blob([text]).size, text)} />
      )}
      {blob !== undefined && <BlobContents data={blob} mimeType={mimeType} name={uri} heading={heading} />}
      {text === undefined && blob === undefined && (
        <>
          <ContentsHeading>{heading()}</ContentsHeading>
          <p className="text-warn">! This item has neither text nor blob. The specification requires one of them.</p>
        </>
      )}
    </section>
  );
}

function ContentsHeading({ children }: { readonly children: ReactNode }) {
  return <div className="mb-1 flex flex-wrap items-center gap-x-2">{children}</div>;
}

interface BlobContentsProps {
  readonly data: string;
  readonly mimeType: string | undefined;
  readonly name: string;
  /** Draws the heading with the size and a button to download the content. */
  readonly heading: (size?: number, content?: Uint8Array<ArrayBuffer>) => ReactNode;
}

function BlobContents({ data, mimeType, name, heading }: BlobContentsProps) {
  const bytes = useMemo(() => decodeBase64(data), [data]);
  const isImage = bytes !== undefined && sniffImageType(bytes) !== undefined;
  // Pictures and sounds have their own line with size and download.
  const Media =
    bytes === undefined ? UnreadableBlob : isImage ? ImageBlock : isAudio(mimeType) ? AudioBlock : undefined;
  if (bytes === undefined || Media) {
    return (
      <>
        <ContentsHeading>{heading()}</ContentsHeading>
        {Media && <Media data={data} mimeType={mimeType} />}
      </>
    );
  }
  const whole = heading(bytes.length, bytes);
  const text = isTextType(mimeType) ? decodeText(bytes) : undefined;
  if (text !== undefined) return <TextOrJson text={text} mimeType={mimeType} name={name} heading={whole} />;
  return (
    <>
      <ContentsHeading>{whole}</ContentsHeading>
      {decodeText(bytes.subarray(0, PDF_START.length)) === PDF_START ? (
        <Suspense>
          <PdfDocument bytes={bytes} />
        </Suspense>
      ) : (
        <HexView bytes={bytes} />
      )}
    </>
  );
}

function UnreadableBlob({ data, mimeType }: { readonly data: string; readonly mimeType?: string }) {
  return <UndisplayableContent what="blob" bytes={undefined} mimeType={mimeType} text={data} />;
}

function isAudio(mimeType = ''): boolean {
  return mimeType.startsWith('audio/');
}

/** The first characters of every PDF file. */
const PDF_START = '%PDF-';

/** True for types whose bytes are text, which some servers send as a blob. */
function isTextType(mimeType = ''): boolean {
  return /^text\/|^application\/(?:.*\+)?(?:json|xml|yaml|javascript|sql|csv)(?:;|$)/.test(mimeType);
}

/** Decodes UTF-8; undefined if the bytes are something else. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
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
