import { useMemo, useState } from 'react';
import { IconButton, Segmented } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TextNotLoaded } from '@/components/ui/notices';
import { JsonTree } from '@/components/untrusted/json-tree';
import { LongText } from '@/components/untrusted/long-text';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { bodyOf, framesOfBody } from '@/lib/chat/body-pieces';
import type { ChatEvent, DialectLoss, TokenPart } from '@/lib/chat/chat-frame';
import type { AnswerTurn, ChatRequest } from '@/lib/chat/chat-state';
import { readChatEvent } from '@/lib/chat/event-frames';
import { costOf } from '@/lib/chat/usage';
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
  readonly onClose: () => void;
}

/** Shows what the model got and answered in a turn, request by request. */
export function ModelView({ log, turn, onClose }: ModelViewProps) {
  const { requests } = turn;
  const [chosen, setChosen] = useState<number>();
  const [view, setView] = useState<View>('Tokens');
  const request = requests.find(({ number }) => number === chosen) ?? requests.at(-1);
  return (
    <section aria-label="The model’s view" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-1 border-b border-line px-3 py-1">
        <h2 className="font-medium">Model’s view</h2>
        {requests.length > 1 && (
          <Segmented
            label="Request of the answer"
            names={requests.slice(-MOST_REQUESTS).map(({ number }) => String(number))}
            chosen={String(request?.number)}
            onChoose={(name) => setChosen(Number(name))}
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
            key={`${request.number} ${view}`}
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

function Tokens({ request, turn }: { readonly request: ChatRequest; readonly turn: AnswerTurn }) {
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
      <td className={inner ? 'max-w-0 truncate pl-4 font-mono text-wire text-muted' : 'max-w-0 truncate py-0.5'}>
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
  if (losses.length === 0) return <p className="text-muted">The provider got every schema as it is</p>;
  return (
    <section aria-label="Changed for this provider" className="min-w-0">
      <h3 className="text-muted">Changed for this provider</h3>
      <ul>
        {losses.slice(0, MOST_LOSSES).map(({ tool, path, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: losses have no other identity
          <li key={index} className="py-0.5 break-words">
            <span aria-hidden="true" className="text-warn">
              !{' '}
            </span>
            {tool !== undefined && <UntrustedText text={`${tool} `} limit={120} className="font-mono text-wire" />}
            {path !== undefined && (
              <UntrustedText text={`${path} `} limit={200} className="font-mono text-wire text-muted" />
            )}
            <UntrustedText text={message} limit={300} />
          </li>
        ))}
      </ul>
      {losses.length > MOST_LOSSES && <p className="text-muted">{losses.length - MOST_LOSSES} more</p>}
    </section>
  );
}

const MOST_LOSSES = 200;

/** Shows exactly what went out or came in. */
function Body({ log, seq, what }: { readonly log: Log; readonly seq: number; readonly what: 'Request' | 'Answer' }) {
  const own = useMemo(() => (seq === 0 ? NO_FRAMES : [seq]), [seq]);
  const bytes = useFrameBytes(log, own);
  const event = useMemo(() => (seq === 0 || bytes !== 'here' ? undefined : eventAt(log, seq)), [log, seq, bytes]);
  // A request repeats most of those before it, so its frame refers to theirs.
  const others = useMemo(() => (event?.type === 'request' ? framesOfBody(event) : NO_FRAMES), [event]);
  const otherBytes = useFrameBytes(
    log,
    useMemo(() => others.filter((one) => one <= log.size), [others, log]),
  );
  const isHere = bytes === 'here' && otherBytes !== 'coming';
  const text = useMemo(() => (event && isHere ? textIn(log, event) : undefined), [log, event, isHere]);
  if (seq === 0) return <p className="text-muted">{what === 'Answer' ? 'No answer yet' : 'Not in this log'}</p>;
  if (bytes !== 'here') return <TextNotLoaded gone={bytes === 'gone'} />;
  if (otherBytes === 'coming') return <TextNotLoaded gone={false} />;
  if (text === undefined) return <p className="text-muted">Not in this log</p>;
  return <BodyText text={text} whole={event && 'bytes' in event ? event.bytes : undefined} />;
}

const NO_FRAMES: readonly number[] = [];

function eventAt(log: Log, seq: number): ChatEvent | undefined {
  return seq <= log.size ? readChatEvent(log.text(seq - 1)) : undefined;
}

function textIn(log: Log, event: ChatEvent): string | undefined {
  if (event.type === 'request') return bodyOf(event, (seq) => eventAt(log, seq));
  return event.type === 'response' ? event.body : undefined;
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
