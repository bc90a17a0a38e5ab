import type { CallDecision, ChatEvent, ChatPart, StopReason } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn, ChatState } from '@/features/chat/lib/chat-state';
import { formatBytes } from '@/lib/wire/format';
import type { Line } from '@/proxy/cli/output';
import type { ChatTerminal } from './chat-terminal';

/** Characters of arguments and results on a line. */
const LINE_CHARS = 300;

/** Why an answer ended, where that needs words. */
const ENDS: Readonly<Partial<Record<StopReason, string>>> = {
  cancelled: 'Cancelled.',
  length: 'The model reached its limit of output tokens. Send “go on”, or start with `--model-option outputTokens=N`.',
  refusal: 'The model refused to answer.',
};

/** Writes what happens in a chat to the terminal, as it happens. */
export class ChatOutput {
  readonly terminal: ChatTerminal;
  /** Calls without a result, by id. */
  readonly calls = new Map<string, { readonly name: string; readonly line: string }>();
  /** Several calls run side by side, so each result says whose it is. */
  hasSeveral = false;
  /** Reasoning was written last, without an end of its line. */
  isReasoning = false;
  /** Turns that are completions for servers. */
  readonly #sampling = new Set<string>();

  constructor(terminal: ChatTerminal) {
    this.terminal = terminal;
  }

  readonly show = (event: ChatEvent): void => {
    if (event.type === 'sampling') this.#sampling.add(event.turn);
    // The person sees a completion before the server does. It is not part of the answer.
    if ('turn' in event && event.type !== 'end' && this.#sampling.has(event.turn)) return;
    const shown = SHOWN[event.type] as ((event: ChatEvent, output: ChatOutput) => void) | undefined;
    shown?.(event, this);
  };
}

type Shown = {
  readonly [T in ChatEvent['type']]?: (event: ChatEvent & { readonly type: T }, output: ChatOutput) => void;
};

/** How events are shown. Others need no words. */
const SHOWN: Shown = {
  text({ text }, output) {
    if (output.isReasoning) output.terminal.endLine();
    output.isReasoning = false;
    output.terminal.stream(text);
  },
  reasoning({ text }, output) {
    if (!output.isReasoning) output.terminal.endLine();
    output.isReasoning = true;
    output.terminal.stream(text, 'muted');
  },
  call({ call: { id, name, arguments: args } }, output) {
    output.calls.set(id, { name, line: `${name} ${firstWords(args)}` });
    output.hasSeveral = output.calls.size > 1;
  },
  decision: ({ call, decision, by }, { terminal, calls }) => {
    // The person knows what the person decided.
    if (by !== 'person') terminal.print(decisionLine(calls.get(call)?.line ?? '', decision));
  },
  result(event, { terminal, calls, hasSeveral }) {
    terminal.print(resultLine(event, hasSeveral ? calls.get(event.call)?.name : undefined));
    calls.delete(event.call);
  },
  retry: (event, { terminal }) => terminal.print([{ text: retryText(event), tone: 'warn' }]),
  end: ({ failure, reason }, { terminal, calls }) => {
    const how = failure && KEY_FAILURES.has(failure.code) ? ' /key types another key.' : '';
    const why = failure ? `${failure.message} ${failure.advice}${how}` : ENDS[reason];
    calls.clear();
    terminal.endLine();
    if (why !== undefined) terminal.print([{ text: why, tone: failure ? 'bad' : 'warn' }]);
  },
};

/** Says that a request is sent again, and when. */
export function retryText({ failure, attempt, waitMs }: ChatEvent & { readonly type: 'retry' }): string {
  return `${failure.message} Attempt ${attempt} in ${Math.round(waitMs / 100) / 10} s.`;
}

/** Failures that another key may end. */
const KEY_FAILURES: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'no-credit']);

function decisionLine(what: string, decision: CallDecision): Line {
  if (decision.kind === 'run') return [{ text: `→ ${what}`, tone: 'muted' }];
  const reason = decision.kind === 'refuse' ? (decision.reason ?? '') : '';
  return [
    { text: `✗ ${what} `, tone: 'muted' },
    { text: reason, tone: 'warn' },
  ];
}

function resultLine(
  { result, cutFrom, milliseconds, stopped }: ChatEvent & { readonly type: 'result' },
  name: string | undefined,
): Line {
  if (stopped) return [{ text: `← ${name === undefined ? '' : `${name}: `}stopped`, tone: 'muted' }];
  const cut = cutFrom === undefined ? '' : `  (cut from ${cutFrom} characters)`;
  return [
    {
      text: `← ${name === undefined ? '' : `${name}: `}${result.isError ? 'failed: ' : ''}`,
      tone: result.isError ? 'bad' : 'muted',
    },
    { text: `${firstWords(partsText(result.parts))}${cut}  ${milliseconds} ms`, tone: 'muted' },
  ];
}

/** Returns the beginning of a text, on one line. */
export function firstWords(text: string, most = LINE_CHARS): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** Returns parts as text. Media is named, with its size. */
export function partsText(parts: readonly ChatPart[]): string {
  return parts.map(partText).join('\n');
}

function partText(part: ChatPart): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text;
  // Base64 has four characters for three bytes.
  if (part.type === 'media') return `[${part.mimeType}, ${formatBytes(Math.floor(part.data.length * 0.75))}]`;
  return part.type === 'call' ? `${part.name} ${part.arguments}` : partsText(part.parts);
}

/** Tokens and cost of an answer, on a line. `~` marks estimates. */
export function usageText({ usage, requests }: AnswerTurn): string {
  const estimate = requests.reduce((sum, { tokens }) => sum + tokens.reduce((all, part) => all + part.tokens, 0), 0);
  const { inputTokens, outputTokens, cost } = usage;
  return [
    inputTokens === undefined ? `~${estimate} tokens in` : `${inputTokens} tokens in`,
    ...(outputTokens === undefined ? [] : [`${outputTokens} out`]),
    ...(cost === undefined ? [] : [`cost ${cost.toPrecision(3)}`]),
  ].join(', ');
}

/** Estimated tokens of the last request by part, the largest first, and what the providers have counted. */
export function tokenLines(state: ChatState, answer: AnswerTurn | undefined): readonly Line[] {
  const parts = answer?.requests.at(-1)?.tokens ?? [];
  const rows = parts
    .map(({ part, name, tokens }) => ({ label: name === undefined ? part : `tool ${name}`, tokens }))
    .sort((a, b) => b.tokens - a.tokens);
  const { inputTokens, outputTokens, cachedTokens, cost } = state.usage;
  const counted = [
    ...(inputTokens === undefined ? [] : [`${inputTokens} in`]),
    ...(cachedTokens === undefined ? [] : [`${cachedTokens} of them cached`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens} out`]),
    ...(cost === undefined ? [] : [`cost ${cost.toPrecision(3)}`]),
  ];
  return [
    [{ text: 'The last request (estimated)', tone: 'strong' }],
    ...rows.map(({ label, tokens }): Line => [`  ~${tokens}`.padEnd(10), label]),
    [{ text: 'The whole chat (as the provider counted)', tone: 'strong' }],
    [`  ${counted.length > 0 ? counted.join(', ') : 'not reported'}`],
  ];
}
