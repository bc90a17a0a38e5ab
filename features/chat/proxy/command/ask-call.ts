import type { AskedCall } from '@/features/chat/lib/ask-model';
import type { Chat } from '@/features/chat/lib/chat';
import type { Allowance, CallDecision, OfferedTool } from '@/features/chat/lib/chat-frame';
import { type Decide, type Decided, isCallAllowed } from '@/features/chat/lib/loop';
import { qualifiedName } from '@/features/chat/lib/tool-names';
import type { Line } from '@/proxy/cli/output';
import { plainText } from '@/proxy/cli/plain-text';
import { indentJson } from '@/proxy/commands/shared/format-content';
import { askJson } from './ask-json';
import type { ChatTerminal } from './chat-terminal';

/** Characters of arguments that are shown before a decision. */
const SHOWN_CHARS = 4000;

/** A person’s decision about a call, and about later ones. */
interface Answer {
  readonly decision: CallDecision;
  /** Calls that run without asking from now on. */
  readonly allow?: Allowance;
}

/** A call that a person is asked about. */
interface Question {
  readonly tool: OfferedTool;
  /** As the model wrote them. */
  readonly args: string;
  readonly allow: Allowance;
  readonly terminal: ChatTerminal;
  readonly signal: AbortSignal;
}

type Choice = (question: Question) => Answer | undefined | Promise<Answer | undefined>;

const RUN: CallDecision = { kind: 'run' };

/** Keys of the answers. An answer is undefined if the question has to be asked again. */
const CHOICES: ReadonlyMap<string, { readonly help: string; readonly choose: Choice }> = new Map([
  ['y', { help: 'run it', choose: () => ({ decision: RUN }) }],
  ['n', { help: 'refuse it', choose: () => ({ decision: { kind: 'refuse' } }) }],
  ['e', { help: 'change its arguments, then run it', choose: changeArguments }],
  ['h', { help: 'answer it by hand', choose: answerByHand }],
  [
    't',
    {
      help: 'always run this tool',
      choose: ({ tool, allow }) => ({
        decision: RUN,
        allow: { ...allow, tools: [...(allow.tools ?? []), qualifiedName(tool)] },
      }),
    },
  ],
  [
    'r',
    {
      help: 'always run read-only tools',
      // This one may not be read-only. Then it is asked about again.
      choose: ({ tool: { readOnly }, allow }): Answer => ({
        decision: readOnly ? RUN : ASK_AGAIN,
        allow: { ...allow, mode: 'read-only' },
      }),
    },
  ],
  ['a', { help: 'always run all tools', choose: () => ({ decision: RUN, allow: { mode: 'all' } }) }],
]);

/** Stands for a call that is not decided yet. */
const ASK_AGAIN: CallDecision = { kind: 'refuse', reason: 'again' };

const QUESTION = `Run it? (${[...CHOICES.keys()].join('/')}, then Enter; ? for help) `;

/** Lets a person at a terminal decide the calls of a chat, one at a time. `quit` ends the chat. */
export function decideIn(terminal: ChatTerminal, chat: () => Chat, quit: () => void): Decide {
  return (call, tool, signal) => terminal.dialogue(() => askAboutCall(call, tool, chat(), terminal, quit, signal));
}

/** Asks about a call, and changes the settings if the person allows more. A call that nobody answers is refused. */
async function askAboutCall(
  { part, tool, faults }: AskedCall,
  offered: OfferedTool,
  chat: Chat,
  terminal: ChatTerminal,
  quit: () => void,
  signal: AbortSignal,
): Promise<Decided> {
  const shown = tool ?? offered;
  // The answer to another call may have allowed this one.
  if (isCallAllowed(offered, chat.state.settings?.allow, chat.state.tools)) return { ...RUN, by: 'rule' };
  const heading = callLines(shown, part.arguments, faults);
  for (let isFirst = true; ; isFirst = false) {
    const text = await terminal.ask(QUESTION, { signal, ...(isFirst && { before: heading }) });
    const word = text?.trim().toLowerCase();
    if (word === '/quit') quit();
    if (word === undefined || word === '/quit') return { kind: 'refuse', reason: 'Nobody answered.', by: 'rule' };
    const choice = CHOICES.get(word);
    if (!choice) {
      terminal.print(...(HELP_WORDS.has(word) ? helpLines() : [notOneOfThem(word)]));
      continue;
    }
    const allow = chat.state.settings?.allow ?? { mode: 'ask' };
    const answer = await choice.choose({ tool: shown, args: part.arguments, allow, terminal, signal });
    if (answer?.allow) chat.configure({ ...chat.state.settings!, allow: answer.allow });
    if (answer && answer.decision !== ASK_AGAIN) return answer.decision;
    if (answer)
      terminal.print([
        { text: 'Read-only tools run from now on. This tool is not declared read-only.', tone: 'muted' },
      ]);
  }
}

const HELP_WORDS: ReadonlySet<string> = new Set(['', '?', '/help']);

function helpLines(): readonly Line[] {
  return [
    ...[...CHOICES].map(([key, { help }]): Line => [`  ${key}  `, { text: help, tone: 'muted' }]),
    ['  ', { text: 'Ctrl-C cancels the answer, /quit ends the chat.', tone: 'muted' }],
  ];
}

function notOneOfThem(word: string): Line {
  const shown = word.length > WORD_CHARS ? `${word.slice(0, WORD_CHARS)}…` : word;
  return [{ text: `  “${shown}” is not one of ${[...CHOICES.keys()].join(', ')}. ? explains them.`, tone: 'warn' }];
}

/** Characters of a wrong answer that are repeated. */
const WORD_CHARS = 40;

async function answerByHand({ terminal, signal }: Question): Promise<Answer | undefined> {
  const question = 'Answer in the tool’s place (begin with ! for an error): ';
  const text = await terminal.ask(question, { signal, multiline: true });
  if (text === undefined) return undefined;
  const isError = text.startsWith('!');
  return { decision: { kind: 'answer', text: isError ? text.slice(1).trim() : text, ...(isError && { isError }) } };
}

async function changeArguments({ args, terminal, signal }: Question): Promise<Answer | undefined> {
  const text = await askJson(terminal, 'Arguments (Enter runs it, empty goes back): ', args.trim() || '{}', signal);
  return text === undefined ? undefined : { decision: { kind: 'run', arguments: text } };
}

function callLines(
  { server, tool, readOnly }: OfferedTool,
  args: string,
  faults: AskedCall['faults'],
): readonly Line[] {
  const cut = args.length > SHOWN_CHARS;
  const shown = indentJson(args.slice(0, SHOWN_CHARS)).split('\n');
  return [
    [
      { text: `${server} › ${tool}`, tone: 'strong' },
      { text: readOnly ? '  declared read-only' : '  not declared read-only', tone: 'muted' },
    ],
    ...shown.map((line): Line => [`  ${plainText(line)}`]),
    ...(cut ? [[{ text: `  … and ${args.length - SHOWN_CHARS} more characters`, tone: 'warn' }] satisfies Line] : []),
    ...faults.map(({ message }): Line => [{ text: `  ${message}`, tone: 'warn' }]),
  ];
}
