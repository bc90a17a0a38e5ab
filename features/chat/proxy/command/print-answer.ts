import type { Chat } from '@/features/chat/lib/chat';
import type { OfferedTool } from '@/features/chat/lib/chat-frame';
import { type AnswerTurn, type ChatCall, callState, writtenText } from '@/features/chat/lib/chat-state';
import type { ChatServer } from '@/features/chat/lib/model';
import { toolNamed } from '@/features/chat/lib/tool-names';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { partsText, usageText } from './chat-output';
import type { FailedServer } from './failed-server';
import { messageParts } from './message-parts';

/** Characters of a result in the report. Its frame has all of it. */
const RESULT_CHARS = 10_000;

/** One question without a person. */
interface PrintOptions {
  readonly chat: Chat;
  readonly servers: readonly ChatServer[];
  readonly failed: readonly FailedServer[];
  readonly question: string;
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** The turn that the question follows. */
  readonly after: string | undefined;
}

/** Asks one question, and prints the answer or, as JSON, the answer with its calls and tokens. */
export async function printAnswer(
  { chat, servers, failed, question, json, signal, after }: PrintOptions,
  { printText, printNote }: Pick<CommandContext, 'printText' | 'printNote'>,
): Promise<ExitCode> {
  const { resultChars } = chat.state.settings!.limits;
  const onCut = (sentence: string): void => printNote(`mcp-inspect: ${sentence}`);
  const turn = chat.say(await messageParts(question, servers, signal, resultChars, onCut), after);
  const answer = await chat.answer(turn, signal);
  const { end } = answer;
  const refused = refusedTools(answer);
  if (json) printText(terminalJson(answerJson(answer, failed)));
  else if (writtenText(answer) !== '') printText(writtenText(answer));
  if (refused.length > 0) printNote(`mcp-inspect: ${refusedText(refused, chat.state.tools)}`);
  if (!json) printNote(`mcp-inspect: ${usageText(answer)}`);
  if (end?.failure) printNote(`mcp-inspect: ${end.failure.message} ${end.failure.advice}`);
  else if (end && end.reason !== 'stop') printNote(`mcp-inspect: The answer ended early: ${end.reason}.`);
  return end?.reason === 'stop' ? EXIT.fine : EXIT.serverError;
}

/** Names of tools whose calls `--allow` did not allow, in their order. */
function refusedTools({ calls }: AnswerTurn): readonly string[] {
  const refused = calls.filter(({ by, decision }) => by === 'rule' && decision?.kind === 'refuse');
  return [...new Set(refused.map(({ call }) => call.name))];
}

/** Says which tools were not called, and what would allow them. */
function refusedText(names: readonly string[], offered: readonly OfferedTool[]): string {
  const quoted = names.map((name) => `\`${name}\``).join(', ');
  const areReadOnly = names.every((name) => toolNamed(offered, name)?.readOnly);
  const options = [names.join(','), ...(areReadOnly ? ['read-only'] : []), 'all'].map((one) => `\`--allow ${one}\``);
  const [last, ...others] = options.reverse();
  return `Not called, because \`--allow\` does not name ${names.length === 1 ? 'it' : 'them'}: ${quoted}. Add ${others.reverse().join(', ')} or ${last}.`;
}

function answerJson(answer: AnswerTurn, failed: readonly FailedServer[]): object {
  const { end, calls, usage, requests, id, settings } = answer;
  const parts = requests.at(-1)?.tokens ?? [];
  return {
    answer: writtenText(answer),
    reason: end?.reason ?? 'error',
    ...(end?.failure && { failure: end.failure }),
    model: settings?.model,
    turn: id,
    calls: calls.map((call) => callJson(call, answer)),
    refused: refusedTools(answer),
    tokens: {
      ...usage,
      estimated: requests.reduce((sum, { tokens }) => sum + tokens.reduce((all, part) => all + part.tokens, 0), 0),
      parts,
    },
    ...(failed.length > 0 && { failedServers: failed.map(failedJson) }),
  };
}

function callJson(call: ChatCall, answer: AnswerTurn): object {
  const { server, tool, faults, decision, by, sent, result, cutFrom, milliseconds } = call;
  const text = result && partsText(result.parts);
  return {
    name: call.call.name,
    server,
    tool,
    arguments: parsed(call.call.arguments),
    state: callState(call, answer),
    decision: decision?.kind,
    by,
    ...(faults.length > 0 && { faults: faults.map(({ message }) => message) }),
    ...(sent && { connection: sent.connection, frame: sent.seq }),
    ...(result && { isError: result.isError, result: text?.slice(0, RESULT_CHARS) }),
    ...((cutFrom ?? 0) > 0 && { cutFrom }),
    milliseconds,
  };
}

/** Arguments as JSON; the text of invalid ones. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    return text;
  }
}

function failedJson({ name, failure: { code, message, advice } }: FailedServer): object {
  return { name, code, message, advice };
}
