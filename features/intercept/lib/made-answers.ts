import { partialItems } from '@/lib/json/members';
import { isJson, withoutBom } from '@/lib/json/parse';
import type { AnswerContent } from '@/lib/mcp/message-interceptor';
import type { InterceptAction } from '@/lib/wire/intercept';
import { isRequest, isResponse } from './active-rule';
import type { PassingFrame, PassingMessage } from './passing-message';

const encoder = new TextEncoder();

/** Returns the content that an action gives to a response. */
export function answerContent(action: Extract<InterceptAction, { do: 'error' | 'result' }>): AnswerContent {
  if (action.do === 'result') return { result: action.result };
  const { code, message, data } = action;
  const members = [
    `"code":${code}`,
    `"message":${JSON.stringify(message)}`,
    ...(data === undefined ? [] : [`"data":${data}`]),
  ];
  return { error: `{${members.join()}}` };
}

/** A frame after some of its messages got an answer or another content. */
export interface AnsweredFrame {
  /** The answers to its requests. A batch gets a batch. Absent: no request was answered. */
  readonly answers?: Uint8Array;
  /** The frame without these requests, and with the responses changed. Absent: no request or response is left. */
  readonly bytes?: Uint8Array;
}

/**
 * Answers the chosen requests of a frame, and changes its chosen responses. All else in a batch stays as written.
 * Returns undefined if there is no content for one of them.
 */
export function answered(
  frame: PassingFrame,
  chosen: readonly PassingMessage[],
  contentFor: (message: PassingMessage) => AnswerContent | undefined,
): AnsweredFrame | undefined {
  const made = new Map<PassingMessage, string>();
  for (const message of chosen) {
    if (!isRequest(message) && !isResponse(message)) continue;
    const content = contentFor(message);
    if (!content) return undefined;
    made.set(message, answerText(message, content));
  }
  const answers = [...made].flatMap(([message, text]) => (isRequest(message) ? [text] : []));
  const isLeft = frame.messages.some((message) => isResponse(message) || (isRequest(message) && !made.has(message)));
  return {
    ...(answers.length > 0 && { answers: joined(frame, answers) }),
    ...(isLeft && { bytes: joined(frame, leftOf(frame, made)) }),
  };
}

function leftOf(frame: PassingFrame, made: ReadonlyMap<PassingMessage, string>): readonly string[] {
  if (!frame.isBatch) return [...made.values()];
  const byPlace = new Map(frame.messages.map((message) => [message.place, message]));
  return partialItems(withoutBom(frame.text).trim()).items.flatMap((written, place) => {
    const message = byPlace.get(place);
    const text = message && made.get(message);
    if (!message || text === undefined) return [written];
    return isRequest(message) ? [] : [text];
  });
}

function answerText({ idText = 'null' }: PassingMessage, content: AnswerContent): string {
  const member = 'result' in content ? `"result":${content.result}` : `"error":${content.error}`;
  // A message is one line on stdio. JSON has line breaks only between tokens.
  return `{"jsonrpc":"2.0","id":${idText},${member.replace(/[\r\n]+/g, ' ')}}`;
}

function joined({ isBatch }: PassingFrame, texts: readonly string[]): Uint8Array {
  return encoder.encode(isBatch ? `[${texts.join()}]` : texts[0]!);
}

/** Returns replacing text as bytes. JSON over several lines becomes one line, as stdio needs. */
export function replacementOf(text: string): Uint8Array {
  return encoder.encode(/[\r\n]/.test(text) && isJson(text) ? text.replace(/[\r\n]+/g, ' ').trim() : text);
}
