import { useMemo } from 'react';
import { ContentBlock } from '@/components/untrusted/content-block';
import { LongText } from '@/components/untrusted/long-text';
import { PreformattedText } from '@/components/untrusted/untrusted-text';
import type { ChatPart } from '@/features/chat/lib/chat-frame';
import { JsonSource } from '@/lib/json/source';

/** Parts of a message that are drawn. A hostile result may have many. */
const MOST_PARTS = 100;
/** Characters of a text that is drawn as one paragraph. */
const SHORT_CHARS = 2000;

/** The parts of a person's message, or of a tool's result. */
export function Parts({ parts, plain = false }: { readonly parts: readonly ChatPart[]; readonly plain?: boolean }) {
  return (
    <>
      {parts.slice(0, MOST_PARTS).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        <Part key={index} part={part} plain={plain} />
      ))}
      {parts.length > MOST_PARTS && <p className="text-muted">{parts.length - MOST_PARTS} more parts</p>}
    </>
  );
}

function Part({ part, plain }: { readonly part: ChatPart; readonly plain: boolean }) {
  const block = useMemo(() => JsonSource.of(blockOf(part)), [part]);
  if (plain && part.type === 'text') {
    return part.text.length <= SHORT_CHARS ? <PreformattedText text={part.text} /> : <LongText text={part.text} />;
  }
  return <ContentBlock block={block} />;
}

/** Returns a part as a content block of MCP, which is what the drawing of untrusted content knows. */
function blockOf(part: ChatPart): unknown {
  if (part.type !== 'media') return part;
  const { mimeType, data, name } = part;
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return { type: 'resource', resource: { uri: name ?? 'attachment', mimeType, blob: data } };
}
