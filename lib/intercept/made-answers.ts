import type { InterceptAction } from '@/lib/wire/intercept';
import { isRequest, isResponse, type RecordedAnswer } from './active-rule';
import type { PassingFrame, PassingMessage } from './passing-message';

const encoder = new TextEncoder();

/** Returns the content that an action gives to a response. */
export function contentOf(action: Extract<InterceptAction, { do: 'error' | 'result' }>): RecordedAnswer {
  if (action.do === 'result') return { result: action.result };
  const { code, message, data } = action;
  const members = [
    `"code":${code}`,
    `"message":${JSON.stringify(message)}`,
    ...(data === undefined ? [] : [`"data":${data}`]),
  ];
  return { error: `{${members.join()}}` };
}

/** Returns the answers to the requests of a frame; undefined if one has none. A batch gets a batch. */
export function answersTo(
  frame: PassingFrame,
  answerOf: (request: PassingMessage) => RecordedAnswer | undefined,
): Uint8Array | undefined {
  const texts = frame.messages.filter(isRequest).map((request) => answerText(request, answerOf(request)));
  return texts.some((text) => text === undefined) ? undefined : joined(frame, texts as readonly string[]);
}

/** Returns the responses of a frame with another content. */
export function changedResponses(frame: PassingFrame, content: RecordedAnswer): Uint8Array {
  const texts = frame.messages.filter(isResponse).map((response) => answerText(response, content)!);
  return joined(frame, texts);
}

function answerText({ idText = 'null' }: PassingMessage, content: RecordedAnswer | undefined): string | undefined {
  if (content === undefined) return undefined;
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
