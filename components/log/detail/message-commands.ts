import { useMemo } from 'react';
import { documentKey, useDocument } from '@/components/form/use-document';
import type { MenuItem } from '@/components/ui/menu';
import { visibleText } from '@/components/ui/visible-text';
import { printFilter, rowTerms, withTerm } from '@/lib/filter/print';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { sharedByLog, usePins } from '@/lib/hooks/log';
import { prettyJson } from '@/lib/json/exact';
import { setMembers, topLevelMembers } from '@/lib/json/members';
import { type DescribedRequest, ownParams } from '@/lib/sharing/snippets/described-request';
import { requestSnippets, type Snippet } from '@/lib/sharing/snippets/request-snippets';
import { requestOf } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Row } from '@/lib/store/rows/row';
import { similarFinder } from '@/lib/store/rows/similar-row';
import type { Entry } from '@/lib/store/state/state';
import { readHttpFrame } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** Something that is done with one message. */
export interface MessageCommand {
  /** As a menu of the message says it. */
  readonly label: string;
  /** As it is said elsewhere: a verb and the message. */
  readonly title: string;
  readonly run: () => void;
}

/**
 * What can be done with a message now, besides looking at it: sent again, edited, compared, pinned. Ask when it is wanted: the log is
 * gone through for the last one like it. `onSelect` shows the message, beside which failures are told and differences shown.
 */
export function useMessageCommands(
  log: Log,
  row: Row,
  onSelect: (seq: number) => void,
): () => readonly MessageCommand[] {
  const { pins, pin, unpin } = usePins(log);
  const { closed, resend } = useResend(log, row);
  const { edit } = useEdit(log, row);
  const { seq } = row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was before a row never changes
  const similar = useMemo(() => similarFinder(log, row), [log, seq]);
  const ours = row.channel === 'protocol' && row.direction === 'to-server' && log.hasBytes(seq);
  const command = (verb: string, rest: string, run: () => void): MessageCommand => ({
    label: `${verb}${rest}`,
    title: `${verb} message #${seq}${rest}`,
    run,
  });
  const compare = (comparing: Comparing) => () => {
    onSelect(seq);
    COMPARING.set(log, comparing);
  };
  return () => {
    const before = similar();
    const others = pins.filter((other) => other !== seq);
    return [
      ...(ours && row.kind === 'request' && closed === undefined
        ? [
            command('Resend', '', () => {
              onSelect(seq);
              resend();
            }),
          ]
        : []),
      ...(ours ? [command('Edit', '', edit)] : []),
      ...(before === undefined
        ? []
        : [command('Diff', ` with the last like it, #${before}`, compare({ diff: [before, seq] }))]),
      ...others.map((other) => command('Diff', ` with pinned #${other}`, compare({ diff: [other, seq] }))),
      command('Diff', ' with another row…', compare({ picking: seq })),
      pins.includes(seq)
        ? command('Unpin', '', () => unpin(seq))
        : { ...command('Pin', '', () => pin(seq)), label: 'Pin: keep it in view' },
    ];
  };
}

/** What of a log is being compared: two frames, or one with whichever row is selected next. seqs. */
export interface Comparing {
  readonly diff?: readonly [number, number];
  readonly picking?: number;
}

export const COMPARING = sharedByLog<Comparing>({});

const FAILED = sharedByLog<{ readonly seq: number; readonly message: string } | undefined>(undefined);

interface Resend {
  /** Why it can't be done now. */
  readonly closed: string | undefined;
  /** Why it was not done, the last time. */
  readonly failure: string | undefined;
  readonly resend: () => void;
}

/** Sends a request's method and params again, under a new id, and shows the new frame. Its bytes have to be here. */
export function useResend(log: Log, row: Row): Resend {
  const client = useClient();
  const closed = useClosedReason(log);
  const failed = FAILED.use(log);
  const resend = async () => {
    FAILED.set(log, undefined);
    try {
      const params = resendParams(log.text(row.seq - 1));
      const done = await client.send({
        type: 'request',
        connection: log.connection,
        method: row.method ?? '',
        ...(params !== undefined && { params }),
      });
      if (done.seq !== undefined) navigate({ frame: done.seq });
    } catch (error) {
      FAILED.set(log, { seq: row.seq, message: (error as Failure).message });
    }
  };
  return { closed, failure: failed?.seq === row.seq ? failed.message : undefined, resend: () => void resend() };
}

/**
 * The params of a request's text, as they were sent, for sending it again: digits, key order and duplicates stay. Only a
 * progress token goes, the new request gets its own. undefined without params. Throws on text that is no object.
 */
export function resendParams(text: string): string | undefined {
  const params = topLevelMembers(text).findLast((member) => member.key === 'params');
  if (!params) return undefined;
  const value = text.slice(params.start, params.end);
  return replaceMember(value, '_meta', (meta) => removeMember(meta, 'progressToken'));
}

function replaceMember(text: string, key: string, change: (value: string) => string): string {
  const member = text.startsWith('{')
    ? topLevelMembers(text).findLast((candidate) => candidate.key === key)
    : undefined;
  if (!member) return text;
  return text.slice(0, member.start) + change(text.slice(member.start, member.end)) + text.slice(member.end);
}

function removeMember(text: string, key: string): string {
  if (!text.startsWith('{')) return text;
  const all = topLevelMembers(text);
  if (!all.some((member) => member.key === key)) return text;
  const kept = all.filter((member) => member.key !== key);
  return `{${kept.map((member) => `${JSON.stringify(member.key)}:${text.slice(member.start, member.end)}`).join(',')}}`;
}

interface Edit {
  /** Where it leads. */
  readonly title: string;
  readonly edit: () => void;
}

/** Opens what was sent where it can be changed and sent again. Its bytes have to be here. */
export function useEdit(log: Log, row: Row): Edit {
  const place = editTarget(log, row);
  const document = useDocument('document' in place ? place.document : 'none');
  const [, setRaw] = useDraft('raw', '');
  if ('document' in place) {
    return {
      title: 'Open its form with these arguments',
      edit: () => {
        document.setText(place.text());
        navigate({ panel: place.panel, item: place.item });
      },
    };
  }
  if (place.panel !== 'raw') {
    return { title: 'Open the resource', edit: () => navigate({ panel: place.panel, item: place.item }) };
  }
  return {
    title: 'Open its text in Raw',
    edit: () => {
      setRaw(place.text());
      navigate({ panel: 'raw', item: undefined });
    },
  };
}

/** Where a message is edited before it is sent again. Its text is made when it is wanted. */
export type EditTarget =
  /** The form of an entry that is listed: its draft gets the arguments. */
  | { readonly panel: string; readonly item: string; readonly document: string; readonly text: () => string }
  /** A resource has nothing to edit but which one it is. */
  | { readonly panel: 'resources'; readonly item: string }
  /** As text. */
  | { readonly panel: 'raw'; readonly text: () => string };

/** Where a message that was sent is edited: in the form of what it is about, if that is listed; else as raw text. */
export function editTarget(log: Log, row: Row): EditTarget {
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

/** A frame in every form in which it can be copied: itself, and if it is a request of ours or about one, what sends that. */
export function frameSnippets(log: Log, row: Row): readonly Snippet[] {
  const text = () => log.text(row.seq - 1);
  const isJson = row.kind !== 'junk' && row.kind !== 'stderr' && row.bytes <= LIMITS.formattedBytes;
  return [
    ...(isJson ? [{ label: 'JSON', text: () => prettyJson(text()) }] : []),
    { label: 'Raw', text },
    ...sendingSnippets(log, row),
  ];
}

/** None unless the request itself is here: of its row alone another request would be made. */
function sendingSnippets(log: Log, row: Row): readonly Snippet[] {
  const seq = requestOf(log, row);
  const { start, era, version } = log.state.connection;
  const exchange = seq === undefined ? undefined : log.exchange(seq);
  if (seq === undefined || start === undefined || exchange?.direction !== 'to-server') return [];
  if (!log.hasBytes(seq)) return [];
  const params = messageSource(log, seq)?.member('params')?.text;
  const request: DescribedRequest = { method: exchange.method, params: ownParams(params), start, era, version };
  // The frame before a message says how it was posted.
  const carrier = seq > 1 && log.columns.kind(seq - 2) === 'http' ? readHttpFrame(log.text(seq - 2)) : undefined;
  const posted = carrier?.kind === 'request' ? carrier : undefined;
  return requestSnippets(request, posted && { url: posted.url, headers: posted.headers, body: log.text(seq - 1) });
}

/** What narrows the log to what is like a row, or hides it, beside what `filter` says already. */
export function filterMenuItems(row: Row, filter: string): readonly MenuItem[] {
  const { terms, around } = rowTerms(row);
  const item = (words: string, not: boolean) =>
    terms.map((term, index) => ({
      label: `${words} ${visibleText(printFilter(term))}`,
      separatorBefore: not && index === 0,
      run: () => navigate({ filter: withTerm(filter, term, { not }) }),
    }));
  return [
    ...item('Only', false),
    {
      label: 'Only what happened within a second of it',
      run: () => navigate({ filter: withTerm(filter, around, { key: 'time' }) }),
    },
    ...item('Hide', true),
  ];
}
