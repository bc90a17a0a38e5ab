import type { ComponentType, ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import type { JsonSource } from '@/lib/wire/json-source';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import { AudioBlock } from './audio-block';
import { ImageBlock } from './image-block';
import { JsonTree } from './json-tree';
import { isLargeText, LargeText } from './large-text';
import { ResourceContents } from './resource-contents';
import { ResourceLink } from './resource-link';
import { TextOrJson } from './text-or-json';
import { UntrustedText } from './untrusted-text';

interface BlockProps {
  readonly block: JsonObject;
  /** Its type and annotations. */
  readonly heading: ReactNode;
  /** Drawn beside a resource link: how to read it. */
  readonly linkAction?: (uri: string) => ReactNode;
}

interface BlockType {
  /** True if the block has what the component needs; otherwise it is shown as JSON. */
  readonly fits: (block: JsonObject) => boolean;
  readonly Component: ComponentType<BlockProps>;
  /** The component draws the heading itself, on a line with its own buttons. */
  readonly hasHeading?: true;
}

const text = (block: JsonObject, key: string) => {
  const value = own(block, key);
  return typeof value === 'string' ? value : undefined;
};

/** Content types of tool results and prompt messages (protocol: text image audio resource_link resource). */
const BLOCKS: ReadonlyMap<unknown, BlockType> = new Map<unknown, BlockType>([
  [
    'text',
    {
      fits: (block) => text(block, 'text') !== undefined,
      hasHeading: true,
      Component: ({ block, heading }) => <TextOrJson text={text(block, 'text') ?? ''} heading={heading} />,
    },
  ],
  [
    'image',
    {
      fits: (block) => text(block, 'data') !== undefined,
      Component: ({ block }) => <ImageBlock data={text(block, 'data') ?? ''} mimeType={text(block, 'mimeType')} />,
    },
  ],
  [
    'audio',
    {
      fits: (block) => text(block, 'data') !== undefined,
      Component: ({ block }) => <AudioBlock data={text(block, 'data') ?? ''} mimeType={text(block, 'mimeType')} />,
    },
  ],
  [
    'resource_link',
    {
      fits: (block) => text(block, 'uri') !== undefined,
      Component: ({ block, linkAction }) => (
        <ResourceLink link={block} action={linkAction?.(text(block, 'uri') ?? '')} />
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

/** One block of content from a server. A type we don't know, or one without its data, is shown as the JSON it is. */
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
            ! {known === undefined ? 'A content type that no version of the protocol defines' : 'Its data is missing'}:
            shown as JSON.
          </p>
          <JsonTree json={block} />
        </>
      )}
    </article>
  );
}

/** Audience, priority and date of a block, if the server gave any. */
function Annotations({ block }: { readonly block: unknown }) {
  const annotations = isObject(block) ? own(block, 'annotations') : undefined;
  if (!isObject(annotations)) return null;
  const words = Object.entries(annotations).map(
    ([key, value]) => `${key} ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return <UntrustedText text={words.join(' · ')} limit={200} className="text-small text-muted" />;
}
