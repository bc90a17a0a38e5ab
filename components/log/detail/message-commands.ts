import { useMemo } from 'react';
import { useCallActions } from '@/components/exchange/call-actions';
import { useConsentedCall } from '@/components/exchange/destructive-call';
import { documentKey, useDocument } from '@/components/form/use-document';
import type { MenuItem } from '@/components/ui/menu-list';
import { visibleText } from '@/components/ui/visible-text';
import { MESSAGE_ACTIONS } from '@/features/message-actions';
import { PAGE_FEATURES } from '@/features/page-features';
import { printFilter, withTerm } from '@/lib/filter/print';
import { rowTerms } from '@/lib/filter/row-terms';
import { useClient } from '@/lib/hooks/client';
import { useClosedReason } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate } from '@/lib/hooks/location';
import { sharedByLog, useKeptInView } from '@/lib/hooks/log';
import { compactJson, prettyJson } from '@/lib/json/exact';
import { setMembers, topLevelMembers } from '@/lib/json/members';
import { type DescribedRequest, ownParams } from '@/lib/sharing/snippets/described-request';
import { requestSnippets, type Snippet } from '@/lib/sharing/snippets/request-snippets';
import { requestOf } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Row } from '@/lib/store/rows/row';
import { similarFinder } from '@/lib/store/rows/similar-row';
import type { ListEntry } from '@/lib/store/state/state';
import { presentProfile } from '@/lib/wire/client-profile';
import { readHttpFrame } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { useRecordedCommands } from './recorded-commands';

interface MessageCommand {
  /** Label in a menu of the message. */
  readonly label: string;
  /** Label elsewhere, which also names the message. */
  readonly title: string;
  readonly run: () => void;
}

/**
 * Returns a function that lists what can be done with a message now: resend, edit, compare, keep in view. Call it
 * only when needed, because it searches the log for a similar message. `onSelect` selects a message, so that its
 * failures and differences are shown.
 */
export function useMessageCommands(
  log: Log,
  row: Row,
  onSelect: (seq: number) => void,
): () => readonly MessageCommand[] {
  const { kept, keep, drop } = useKeptInView(log);
  const { closed, resend } = useResend(log, row);
  const { edit } = useEdit(log, row);
  const recorded = useRecordedCommands(log, row);
  const request = requestOf(log, row);
  const callActions = useCallActions({ log, request, place: 'detail' });
  // biome-ignore lint/correctness/useHookAtTopLevel: the list never changes
  const actions = MESSAGE_ACTIONS.map(({ label, useRun }) => ({ label, runOn: useRun(log) }));
  const { seq } = row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: earlier rows never change
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
    const others = kept.filter((other) => other !== seq);
    const requestRow = request === undefined ? undefined : log.row(request - 1);
    return [
      ...(ours && row.kind === 'request' && closed === undefined
        ? [
            command('Resend', '', () => {
              onSelect(seq);
              resend();
            }),
          ]
        : []),
      ...[...(recorded.send ? [recorded.send] : []), ...recorded.others].map(({ label, run }) => ({
        label,
        title: `${label} (message #${seq})`,
        run,
      })),
      ...(ours ? [command('Edit', '', edit)] : []),
      ...callActions.map(({ label, run }) => ({
        label,
        title: `${label} of message #${seq}`,
        run: () => {
          onSelect(seq);
          run();
        },
      })),
      ...actions.flatMap(({ label, runOn }) => {
        const run = runOn(row, requestRow);
        return run ? [{ label: label('messages like this'), title: label(`messages like #${seq}`), run }] : [];
      }),
      ...(before === undefined
        ? []
        : [command('Compare', ` with previous similar #${before}`, compare({ diff: [before, seq] }))]),
      ...others.map((other) => command('Compare', ` with kept #${other}`, compare({ diff: [other, seq] }))),
      command('Compare', ' with another row…', compare({ picking: seq })),
      kept.includes(seq)
        ? { label: 'Don’t keep in view', title: `Don’t keep message #${seq} in view`, run: () => drop(seq) }
        : { label: 'Keep in view', title: `Keep message #${seq} in view`, run: () => keep(seq) },
    ];
  };
}

interface Comparing {
  /** seqs of the two frames compared. */
  readonly diff?: readonly [number, number];
  /** seq of a frame to compare with the next row that is selected. */
  readonly picking?: number;
}

/** The comparison in progress, by log. */
export const COMPARING = sharedByLog<Comparing>({});

/** The last failed resend, by log. */
const FAILED_RESEND = sharedByLog<{ readonly seq: number; readonly message: string } | undefined>(undefined);

interface Resend {
  /** Why the connection takes no requests now. */
  readonly closed: string | undefined;
  /** Why the last attempt failed. */
  readonly failure: string | undefined;
  readonly resend: () => void;
}

/** Sends a request's method and params again under a new id and selects the new frame. Its bytes must be loaded. */
export function useResend(log: Log, row: Row): Resend {
  const client = useClient();
  const closed = useClosedReason(log);
  const failed = FAILED_RESEND.use(log);
  const resend = async () => {
    FAILED_RESEND.set(log, undefined);
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
      FAILED_RESEND.set(log, { seq: row.seq, message: (error as Failure).message });
    }
  };
  const consented = useConsentedCall(log);
  return {
    closed,
    failure: failed?.seq === row.seq ? failed.message : undefined,
    resend: () => {
      const isCalled = ({ name }: ListEntry) => row.method === 'tools/call' && name === row.name;
      const args = messageSource(log, row.seq)?.member('params')?.member('arguments')?.text;
      consented(log.state.tools.items.find(isCalled)?.raw, () => void resend(), args === undefined ? {} : { args });
    },
  };
}

/**
 * Returns the params of a request exactly as sent, including digits, key order and duplicates, but without the progress
 * token: the new request gets its own. undefined without params. Throws if the text is not an object.
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

/** Opens a sent message in the panel where it can be edited and sent again. Its bytes must be loaded. */
export function useEdit(log: Log, row: Row): { readonly title: string; readonly edit: () => void } {
  const target = editTarget(log, row);
  const document = useDocument('document' in target ? target.document : 'none');
  const [, setRaw] = useDraft('raw', '');
  if ('document' in target) {
    return {
      title: 'Open the form with these arguments',
      edit: () => {
        document.setText(target.text());
        navigate({ panel: target.panel, item: target.item });
      },
    };
  }
  if (target.panel !== 'raw') {
    return { title: 'Open the resource', edit: () => navigate({ panel: target.panel, item: target.item }) };
  }
  return {
    title: 'Edit the text as a new message',
    edit: () => {
      setRaw(target.text());
      navigate({ panel: 'raw', item: undefined });
    },
  };
}

type EditTarget =
  /** The form of a tool or prompt, filled with the arguments. */
  | { readonly panel: string; readonly item: string; readonly document: string; readonly text: () => string }
  /** A resource, which has no arguments. */
  | { readonly panel: 'resources'; readonly item: string }
  /** The raw panel, for everything else. */
  | { readonly panel: 'raw'; readonly text: () => string };

/** Returns where to edit a message: in the form of its tool or prompt if that is listed, else as raw text. */
export function editTarget(log: Log, row: Row): EditTarget {
  const { tools, prompts, resources, connection } = log.state;
  const server = connection.start?.name ?? '';
  const args = () => {
    const written = messageSource(log, row.seq)?.member('params')?.member('arguments')?.text;
    return written === undefined ? '' : prettyJson(written);
  };
  const listed = (items: readonly ListEntry[]) => items.find(({ name }) => name !== '' && name === row.name);
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

/** Gives a request a new id, because an id may be used only once. Text that is not an object stays unchanged. */
function rawText(text: string, row: Row): string {
  try {
    return row.kind === 'request' ? setMembers(text, [['id', `"raw-${row.seq}"`]]) : text;
  } catch {
    return text;
  }
}

/**
 * Returns the forms in which a frame can be copied. A frame of one of our requests can also be copied as code that
 * sends it.
 */
export function frameSnippets(log: Log, row: Row): readonly Snippet[] {
  const text = () => log.text(row.seq - 1);
  const isText = row.kind === 'junk' || row.kind === 'stderr' || row.kind === 'other';
  const isJson = !isText && row.bytes <= LIMITS.formattedBytes;
  return [
    ...(isJson ? [{ label: 'JSON', text: () => prettyJson(text()) }] : []),
    { label: 'Raw', text },
    ...sendingSnippets(log, row),
  ];
}

/** Returns snippets that send the request. None if its bytes are not loaded, because the row alone has no params. */
function sendingSnippets(log: Log, row: Row): readonly Snippet[] {
  const seq = requestOf(log, row);
  const { start, era, version, profile } = log.state.connection;
  const exchange = seq === undefined ? undefined : log.exchange(seq);
  if (seq === undefined || start === undefined || exchange?.direction !== 'to-server') return [];
  if (!log.hasBytes(seq)) return [];
  const params = messageSource(log, seq)?.member('params')?.text;
  const request: DescribedRequest = {
    method: exchange.method,
    params: ownParams(params),
    profile: presentProfile(profile, start),
    start,
    era,
    version,
  };
  // The frame before a message is the HTTP request that carried it.
  const carrier = seq > 1 && log.columns.kind(seq - 2) === 'http' ? readHttpFrame(log.text(seq - 2)) : undefined;
  const posted = carrier?.kind === 'request' ? carrier : undefined;
  return [
    ...requestSnippets(request, posted && { url: posted.url, headers: posted.headers, body: log.text(seq - 1) }),
    ...callSnippets(log, seq, start.name),
  ];
}

/** Returns what features make of a tool call. */
function callSnippets(log: Log, seq: number, server: string): readonly Snippet[] {
  const params = messageSource(log, seq)?.member('params');
  const tool = log.exchange(seq)?.method === 'tools/call' && params?.member('name')?.value;
  if (typeof tool !== 'string') return [];
  const args = params?.member('arguments')?.text ?? '{}';
  return PAGE_FEATURES.flatMap((feature) => feature.callSnippets?.({ server, tool, args: compactJson(args) }) ?? []);
}

/** Returns menu items that show only, or hide, rows like this one. They are added to `filter`. */
export function filterMenuItems(row: Row, filter: string): readonly MenuItem[] {
  const { terms, around } = rowTerms(row);
  const items = (verb: string, not: boolean) =>
    terms.map((term, index) => ({
      label: `${verb} ${visibleText(printFilter(term))}`,
      separatorBefore: not && index === 0,
      run: () => navigate({ filter: withTerm(filter, term, { not }) }),
    }));
  return [
    ...items('Only', false),
    {
      label: 'Only within one second',
      run: () => navigate({ filter: withTerm(filter, around, { key: 'time' }) }),
    },
    ...items('Hide', true),
  ];
}
