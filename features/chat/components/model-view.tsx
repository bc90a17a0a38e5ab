import { useMemo, useState } from 'react';
import { Button, IconButton, Segmented } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TextNotLoaded } from '@/components/ui/notices';
import { JsonTree } from '@/components/untrusted/json-tree';
import { LongText } from '@/components/untrusted/long-text';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { framesOfBody, requestBody } from '@/features/chat/lib/body-pieces';
import type { ChatEvent, DialectLoss, TokenPart } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn, ChatModelCall } from '@/features/chat/lib/chat-state';
import { readChatEvent } from '@/features/chat/lib/event-frames';
import { costOf } from '@/features/chat/lib/usage';
import { useFrameBytes } from '@/lib/hooks/log';
import { JsonSource } from '@/lib/json/source';
import type { Log } from '@/lib/store/log';
import { countOf, formatBytes, formatCount } from '@/lib/wire/format';
import { formatCost } from './answer-view';

type View = 'Tokens' | 'Request' | 'Answer';
const VIEWS: readonly View[] = ['Tokens', 'Request', 'Answer'];

/** Requests to choose from, the newest. */
const MOST_REQUESTS = 100;

interface ModelViewProps {
  readonly log: Log;
  readonly turn: AnswerTurn;
  /** The first words of the message that it answers. */
  readonly about: string;
  readonly onClose: () => void;
}

/** Shows what the model got and answered in a turn, request by request. */
export function ModelView({ log, turn, about, onClose }: ModelViewProps) {
  const { requests } = turn;
  const [chosen, setChosen] = useState<{ readonly turn: string; readonly number: number }>();
  const [view, setView] = useState<View>('Tokens');
  const request =
    requests.find(({ number }) => chosen?.turn === turn.id && chosen.number === number) ?? requests.at(-1);
  return (
    <section aria-label="The model’s view" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-1 border-b border-line px-3 py-1">
        <h2 className="flex max-w-full min-w-0 items-baseline gap-2 font-medium">
          <span className="shrink-0">Model’s view</span>
          <span className="min-w-0 truncate text-small font-normal text-muted">
            <UntrustedText text={about} limit={100} />
          </span>
        </h2>
        {requests.length > 1 && (
          <Segmented
            label="Request of the answer"
            names={requests.slice(-MOST_REQUESTS).map(({ number }) => String(number))}
            chosen={String(request?.number)}
            onChoose={(name) => setChosen({ turn: turn.id, number: Number(name) })}
          />
        )}
        {requests.length > MOST_REQUESTS && (
          <span className="text-muted">{formatCount(requests.length - MOST_REQUESTS)} earlier</span>
        )}
        <span className="flex-1" />
        <Segmented label="Part of the model’s view" names={VIEWS} chosen={view} onChoose={setView} />
        <IconButton label="Close the model’s view" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-auto p-3">
        {request === undefined ? (
          <p className="text-muted">The model was not asked yet</p>
        ) : view === 'Tokens' ? (
          <Tokens request={request} turn={turn} />
        ) : (
          <RenderGuard
            key={`${turn.id} ${request.number} ${view}`}
            fallback={<p className="text-warn">! This can’t be drawn. See its frame in the log</p>}
          >
            <Body log={log} seq={view === 'Request' ? request.seq : (request.response?.seq ?? 0)} what={view} />
          </RenderGuard>
        )}
      </div>
    </section>
  );
}

const PARTS: readonly (readonly [TokenPart['part'], string])[] = [
  ['system', 'System prompt'],
  ['history', 'Messages'],
  ['results', 'Results of calls'],
];

function Tokens({ request, turn }: { readonly request: ChatModelCall; readonly turn: AnswerTurn }) {
  const { tokens, losses, response, url } = request;
  const sum = tokens.reduce((all, part) => all + part.tokens, 0);
  const ofTools = tokens.filter(({ part }) => part === 'tool');
  const servers = [...new Set(ofTools.map(({ server = '' }) => server))];
  const cost = response?.usage && costOf(response.usage, turn.settings?.price);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {url !== undefined && (
        <p className="font-mono text-wire break-all">
          <UntrustedText text={url} limit={300} />
        </p>
      )}
      <table className="tabular w-full">
        <caption className="pb-1 text-left text-muted">Tokens of the request, estimated</caption>
        <tbody>
          {PARTS.map(([part, label]) => {
            const count = tokens.filter((one) => one.part === part).reduce((all, one) => all + one.tokens, 0);
            return count === 0 ? null : <TokenRow key={part} label={label} count={count} of={sum} />;
          })}
          {servers.map((server) => (
            <ServerTokens
              key={server}
              server={server}
              tools={ofTools.filter((one) => one.server === server)}
              of={sum}
            />
          ))}
          <tr className="border-t border-line font-medium">
            <td className="py-0.5">All</td>
            <td className="w-24 text-right">~{formatCount(sum)}</td>
          </tr>
        </tbody>
      </table>
      {response?.usage && (
        <p className="tabular">
          Counted by the provider: {formatCount(response.usage.inputTokens ?? 0)} in
          {response.usage.cachedTokens ? ` (${formatCount(response.usage.cachedTokens)} cached)` : ''},{' '}
          {formatCount(response.usage.outputTokens ?? 0)} out
          {response.usage.reasoningTokens ? ` (${formatCount(response.usage.reasoningTokens)} reasoning)` : ''}
          {cost !== undefined && `, ${formatCost(cost)}`}
        </p>
      )}
      <Losses losses={losses} />
    </div>
  );
}

function TokenRow({
  label,
  count,
  of,
  inner = false,
}: {
  readonly label: string;
  readonly count: number;
  readonly of: number;
  readonly inner?: boolean;
}) {
  return (
    <tr>
      <td className={inner ? 'max-w-0 pl-4 font-mono text-wire break-all text-muted' : 'max-w-0 truncate py-0.5'}>
        <UntrustedText text={label} limit={120} />
      </td>
      <td
        className={`w-24 text-right ${inner ? 'text-muted' : ''}`}
        title={of > 0 ? `${Math.round((100 * count) / of)} % of the request` : undefined}
      >
        ~{formatCount(count)}
      </td>
    </tr>
  );
}

/** Rows of one server's tools, the largest first. */
function ServerTokens({
  server,
  tools,
  of,
}: {
  readonly server: string;
  readonly tools: readonly TokenPart[];
  readonly of: number;
}) {
  const sorted = useMemo(() => [...tools].sort((one, other) => other.tokens - one.tokens), [tools]);
  const [all, setAll] = useState(false);
  const shown = all ? sorted : sorted.slice(0, FIRST_TOOLS);
  return (
    <>
      <TokenRow
        label={`${countOf(tools.length, 'tool')} of ${server}`}
        count={tools.reduce((sum, { tokens }) => sum + tokens, 0)}
        of={of}
      />
      {shown.map(({ name = '', tokens }) => (
        <TokenRow key={name} label={name} count={tokens} of={of} inner />
      ))}
      {sorted.length > shown.length && (
        <tr>
          <td className="pl-4">
            <button type="button" className="text-small text-link" onClick={() => setAll(true)}>
              {sorted.length - shown.length} more
            </button>
          </td>
        </tr>
      )}
    </>
  );
}

/** Tools of a server that are shown at first. */
const FIRST_TOOLS = 5;

/** Lists what the provider's dialect lost or changed. */
function Losses({ losses }: { readonly losses: readonly DialectLoss[] }) {
  const grouped = useMemo(() => groupLosses(losses), [losses]);
  if (losses.length === 0) return <p className="text-muted">The provider got every schema as it is</p>;
  return (
    <section aria-label="Changed for this provider" className="min-w-0">
      <h3 className="text-muted">Changed for this provider</h3>
      <ul>
        {grouped.slice(0, MOST_LOSSES).map(({ tools, path, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: losses have no other identity
          <li key={index} className="py-0.5 break-words">
            <span aria-hidden="true" className="text-warn">
              !{' '}
            </span>
            {tools.length > 0 && <UntrustedText text={`${tools[0]} `} limit={120} className="font-mono text-wire" />}
            {tools.length > 1 && (
              <span title={tools.slice(1, MOST_LOSSES).join(', ')}>and {countOf(tools.length - 1, 'other tool')} </span>
            )}
            {path !== undefined && (
              <UntrustedText text={`${path} `} limit={200} className="font-mono text-wire text-muted" />
            )}
            <UntrustedText text={message} limit={300} />
          </li>
        ))}
      </ul>
      {grouped.length > MOST_LOSSES && <p className="text-muted">{grouped.length - MOST_LOSSES} more</p>}
    </section>
  );
}

const MOST_LOSSES = 200;

/** Joins losses that several tools have in common. */
function groupLosses(losses: readonly DialectLoss[]) {
  const groups = new Map<string, { readonly tools: string[]; readonly path?: string; readonly message: string }>();
  for (const { tool, ...loss } of losses) {
    const key = JSON.stringify([loss.path, loss.message]);
    const group = groups.get(key) ?? { tools: [], ...loss };
    groups.set(key, group);
    if (tool !== undefined) group.tools.push(tool);
  }
  return [...groups.values()];
}

/** Shows exactly what went out or came in. */
function Body({ log, seq, what }: { readonly log: Log; readonly seq: number; readonly what: 'Request' | 'Answer' }) {
  const own = useMemo(() => (seq === 0 ? NO_FRAMES : [seq]), [seq]);
  const bytes = useFrameBytes(log, own);
  const event = useMemo(() => (seq === 0 || bytes !== 'here' ? undefined : eventAt(log, seq)), [log, seq, bytes]);
  // A request repeats most of those before it, so its frame refers to theirs.
  const all = useMemo(() => (event?.type === 'request' ? framesOfBody(event) : NO_FRAMES), [event]);
  const [whole, setWhole] = useState(false);
  // The first ones have the tools, and the last ones the newest messages.
  const others = useMemo(
    () =>
      whole || all.length <= FIRST_FRAMES + LAST_FRAMES
        ? all
        : [...all.slice(0, FIRST_FRAMES), ...all.slice(-LAST_FRAMES)],
    [all, whole],
  );
  const otherBytes = useFrameBytes(
    log,
    useMemo(() => others.filter((one) => one <= log.size), [others, log]),
  );
  const isHere = bytes === 'here' && otherBytes !== 'coming';
  const text = useMemo(() => (event && isHere ? textIn(log, event, others) : undefined), [log, event, isHere, others]);
  if (seq === 0) return <p className="text-muted">{what === 'Answer' ? 'No answer yet' : 'Not in this log'}</p>;
  if (bytes !== 'here') return <TextNotLoaded gone={bytes === 'gone'} />;
  if (otherBytes === 'coming') return <TextNotLoaded gone={false} />;
  if (text === undefined) return <p className="text-muted">Not in this log</p>;
  return (
    <>
      {others.length < all.length && (
        <p className="flex flex-wrap items-center gap-2 text-muted">
          Parts of {formatCount(all.length - others.length)} earlier requests are left out
          <Button size="small" onClick={() => setWhole(true)}>
            Show all
          </Button>
        </p>
      )}
      <BodyText text={text} whole={event && 'bytes' in event ? event.bytes : undefined} />
    </>
  );
}

const NO_FRAMES: readonly number[] = [];
/** Earlier frames whose parts of a request are shown at first. */
const FIRST_FRAMES = 10;
const LAST_FRAMES = 40;

function eventAt(log: Log, seq: number): ChatEvent | undefined {
  return seq <= log.size ? readChatEvent(log.text(seq - 1)) : undefined;
}

/** Returns the body of a request or of an answer. Parts that are not in `frames` become strings that say so. */
function textIn(log: Log, event: ChatEvent, frames: readonly number[]): string | undefined {
  if (event.type === 'request') {
    const wanted = new Set(frames);
    const isAll = framesOfBody(event).length === wanted.size;
    const leftOut = (seq: number) => JSON.stringify(`Left out: sent before, in frame ${seq}`);
    return requestBody(event, (seq) => (wanted.has(seq) ? eventAt(log, seq) : undefined), isAll ? undefined : leftOut);
  }
  // Streams have line ends of two characters.
  return event.type === 'response' ? event.body.replaceAll('\r\n', '\n') : undefined;
}

function BodyText({
  text,
  whole,
}: {
  readonly text: string;
  /** Bytes of the whole, if the text is only its beginning. */
  readonly whole: number | undefined;
}) {
  const json = useMemo(() => JsonSource.parse(text), [text]);
  return (
    <div className="min-w-0">
      {whole !== undefined && <p className="text-warn">! Only the beginning of {formatBytes(whole)}</p>}
      {json ? <JsonTree json={json} /> : text === '' ? <p className="text-muted">Empty</p> : <LongText text={text} />}
    </div>
  );
}
