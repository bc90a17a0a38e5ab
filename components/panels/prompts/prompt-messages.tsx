import { OtherMembers } from '@/components/exchange/other-members';
import { JsonTree } from '@/components/ui/json-tree';
import { ContentBlock } from '@/components/untrusted/content-block';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { isObject, own } from '@/lib/wire/message';

/** Messages drawn; a result with more is read as JSON. */
const MOST_MESSAGES = 200;

/** A `prompts/get` result: its messages by role, in order. */
export function PromptMessages({ result }: { readonly result: unknown }) {
  const messages = isObject(result) ? own(result, 'messages') : undefined;
  if (!isObject(result) || !Array.isArray(messages)) {
    return (
      <>
        <p className="text-warn">! The result has no messages array: shown as it came.</p>
        <JsonTree value={result} />
      </>
    );
  }
  const description = own(result, 'description');
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {typeof description === 'string' && (
        <p className="text-muted">
          <UntrustedText text={description} />
        </p>
      )}
      {messages.length === 0 && <p className="text-muted">messages is empty.</p>}
      {messages.slice(0, MOST_MESSAGES).map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other identity
        <Message key={index} message={message} />
      ))}
      {messages.length > MOST_MESSAGES && (
        <p className="text-muted">{messages.length - MOST_MESSAGES} more messages: see them under Raw.</p>
      )}
      <OtherMembers result={result} shown={['messages', 'description', 'resultType']} />
    </div>
  );
}

function Message({ message }: { readonly message: unknown }) {
  if (!isObject(message)) return <JsonTree value={message} />;
  const role = own(message, 'role');
  const content = own(message, 'content');
  // One block by the specification; several are shown, not refused.
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return (
    <section className={`min-w-0 border-l-2 pl-2 ${role === 'assistant' ? 'border-to-client' : 'border-to-server'}`}>
      <h4 className="text-small font-medium">
        <UntrustedText text={typeof role === 'string' ? role : 'no role'} limit={60} />
      </h4>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        <ContentBlock key={index} block={block} />
      ))}
    </section>
  );
}
