import { ContentBlock } from '@/components/untrusted/content-block';
import { JsonTree } from '@/components/untrusted/json-tree';
import { isLargeText } from '@/components/untrusted/long-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { JsonSource } from '@/lib/json/source';
import { countOf } from '@/lib/wire/format';
import { OtherMembers } from './result-region';

/** Most messages to draw, and content blocks of each. The rest can be read under Raw. */
const MAX_MESSAGES = 200;
const MAX_BLOCKS = 50;

const SHOWN = ['messages', 'description', 'resultType'];

/** The `messages` of a prompt, after its description, then its other members. */
export function MessageList({ from }: { readonly from: JsonSource }) {
  const description = from.member('description')?.value;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {typeof description === 'string' && (
        <p className="text-muted">
          <UntrustedText text={description} />
        </p>
      )}
      <Messages from={from} />
      <OtherMembers result={from} shown={SHOWN} />
    </div>
  );
}

/** The `messages` of a prompt or sampling request. `plain`: texts without type and buttons, as in a chat. */
export function Messages({ from, plain = false }: { readonly from: JsonSource; readonly plain?: boolean }) {
  const messages = from.member('messages');
  if (messages?.kind !== 'array') return <p className="text-warn">! The messages array is missing</p>;
  const { count, children } = messages.children(MAX_MESSAGES);
  return (
    <>
      {count === 0 && <p className="text-muted">No messages</p>}
      {children.map(({ source }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other identity
        <Message key={index} message={source} plain={plain} />
      ))}
      {count > MAX_MESSAGES && <p className="text-muted">{countOf(count - MAX_MESSAGES, 'more message')} under Raw</p>}
    </>
  );
}

function Message({ message, plain }: { readonly message: JsonSource; readonly plain: boolean }) {
  const Block = plain ? PlainBlock : ContentBlock;
  if (message.kind !== 'object') return <JsonTree json={message} />;
  const role = message.member('role')?.value;
  const content = message.member('content');
  // The specification allows one block, but several are shown too.
  const blocks = content?.kind === 'array' ? content.children(MAX_BLOCKS) : undefined;
  return (
    <section className={`min-w-0 border-l-2 pl-2 ${role === 'assistant' ? 'border-to-client' : 'border-to-server'}`}>
      <h4 className="text-small font-medium">
        <UntrustedText text={typeof role === 'string' ? role : 'no role'} limit={60} />
      </h4>
      {!content && <p className="text-warn">! This message has no content</p>}
      {content && !blocks && <Block block={content} />}
      {blocks?.children.map(({ source }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <Block key={index} block={source} />
      ))}
      {blocks && blocks.count > MAX_BLOCKS && (
        <p className="text-muted">{countOf(blocks.count - MAX_BLOCKS, 'more block')} under Raw</p>
      )}
    </section>
  );
}

/** A content block, text as a paragraph. */
function PlainBlock({ block }: { readonly block: JsonSource }) {
  const text = block.member('type')?.value === 'text' ? block.member('text') : undefined;
  if (text?.kind !== 'string' || isLargeText(text)) return <ContentBlock block={block} />;
  return (
    <p className="max-w-[68ch] py-1 whitespace-pre-wrap">
      <UntrustedText text={String(text.value)} />
    </p>
  );
}
