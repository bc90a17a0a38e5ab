import { namedParams } from '@/components/exchange/use-request';
import { focusForm } from '@/components/ui/focus';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { useLogState } from '@/lib/hooks/log';
import { type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import type { BrowseGroup } from '../shared/browse-group';
import { useFirstRead } from '../shared/first-read';
import { useNamedGroup } from '../shared/named-group';

const PromptDetail = lazyWhenIdle(() => import('./prompt-detail').then((file) => file.PromptDetail));

/** Returns the server's prompts. One without arguments is read when it is opened, as a resource is. */
export function usePromptGroup(log: Log, item: string | undefined): BrowseGroup {
  const prompts = useLogState(log, (state) => state.prompts.items);
  const firstRead = useFirstRead(log);
  const group = useNamedGroup({
    log,
    item,
    what: 'prompts',
    title: 'Prompts',
    one: 'prompt',
    titleOf: promptTitle,
    draw: (prompt) => <PromptDetail key={prompt.key} log={log} prompt={prompt} />,
  });
  return {
    ...group,
    onOpen: (key) => {
      const prompt = prompts.find((entry) => entry.key === key);
      if (!prompt || takesArguments(prompt.raw)) focusForm();
      else firstRead(prompt.name, { method: 'prompts/get', params: namedParams(prompt.raw, '{}') });
    },
  };
}

function takesArguments(prompt: JsonObject): boolean {
  const declared = own(prompt, 'arguments') ?? [];
  return !Array.isArray(declared) || declared.length > 0;
}

function promptTitle(prompt: JsonObject): string | undefined {
  const title = own(prompt, 'title');
  return typeof title === 'string' && title !== '' ? title : undefined;
}
