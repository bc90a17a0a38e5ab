import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { BrowseGroup } from '../shared/browse-group';
import { useNamedGroup } from '../shared/named-group';

const PromptDetail = lazyWhenIdle(() => import('./prompt-detail').then((file) => file.PromptDetail));

/** Returns the server's prompts. */
export function usePromptGroup(log: Log, item: string | undefined): BrowseGroup {
  return useNamedGroup({
    log,
    item,
    what: 'prompts',
    title: 'Prompts',
    one: 'prompt',
    titleOf: promptTitle,
    draw: (prompt) => <PromptDetail key={prompt.key} log={log} prompt={prompt} />,
  });
}

function promptTitle(prompt: JsonObject): string | undefined {
  const title = own(prompt, 'title');
  return typeof title === 'string' && title !== '' ? title : undefined;
}
