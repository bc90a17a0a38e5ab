import { documentKey } from '@/components/form/document-key';
import { prettyJson } from '@/lib/schema/json';
import { messageSource } from '@/lib/store/answer-source';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import type { Entry } from '@/lib/store/state';
import { setMembers } from '@/lib/wire/json-text';

/** Where a message is edited before it is sent again. Its text is made when it is wanted. */
export type EditPlace =
  /** The form of an entry that is listed: its draft gets the arguments. */
  | { readonly panel: string; readonly item: string; readonly document: string; readonly text: () => string }
  /** A resource has nothing to edit but which one it is. */
  | { readonly panel: 'resources'; readonly item: string }
  /** As text. */
  | { readonly panel: 'raw'; readonly text: () => string };

/** Where a message that was sent is edited: in the form of what it is about, if that is listed; else as raw text. */
export function editPlace(log: Log, row: Row): EditPlace {
  const { tools, prompts, resources, connection } = log.state;
  const server = connection.start?.name ?? '';
  const args = () => {
    const written = messageSource(log, row.seq)?.member('params')?.member('arguments')?.text;
    return written === undefined ? '' : prettyJson(written);
  };
  const listed = (items: readonly Entry[]) => items.find(({ name }) => name !== '' && name === row.name);
  const tool = row.method === 'tools/call' ? listed(tools.items) : undefined;
  if (tool) return { panel: 'tools', item: tool.key, document: documentKey('tool', server, tool.key), text: args };
  const prompt = row.method === 'prompts/get' ? listed(prompts.items) : undefined;
  if (prompt) {
    return { panel: 'prompts', item: prompt.key, document: documentKey('prompt', server, prompt.key), text: args };
  }
  const resource = row.method === 'resources/read' ? resources.items.find(({ uri }) => uri === row.name) : undefined;
  if (resource) return { panel: 'resources', item: resource.key };
  return { panel: 'raw', text: () => rawText(log.text(row.seq - 1), row) };
}

/** A request gets an id of its own: an id may be used once. What is no object stays what it is. */
function rawText(text: string, row: Row): string {
  try {
    return row.kind === 'request' ? setMembers(text, [['id', `"raw-${row.seq}"`]]) : text;
  } catch {
    return text;
  }
}
