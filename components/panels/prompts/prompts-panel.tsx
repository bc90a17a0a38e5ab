import { NamedListing } from '@/components/catalogue/named-listing';
import type { Log } from '@/lib/store/log';
import { type JsonObject, own } from '@/lib/wire/message';
import { PromptDetail } from './prompt-detail';

/** The server's prompts: their arguments, and the messages they make. */
export function PromptsPanel({ log }: { readonly log: Log }) {
  return (
    <NamedListing log={log} what="prompts" one="prompt" titleOf={promptTitle}>
      {(prompt) => <PromptDetail key={prompt.key} log={log} prompt={prompt} />}
    </NamedListing>
  );
}

function promptTitle(prompt: JsonObject): string | undefined {
  const title = own(prompt, 'title');
  return typeof title === 'string' && title !== '' ? title : undefined;
}
