// The events of a chat as frames: what goes to the model has the direction `to-server`, everything else `to-client`.
import { parseBounded } from '@/lib/json/parse';
import type { Direction, Frame } from '@/lib/wire/frame';
import { type ChatEvent, isChatEvent } from './chat-frame';
import { ChatState } from './chat-state';

/** Bytes of the longest frame that is read. A request body, which the loop cuts, takes at most twice its bound. */
const MOST_EVENT_BYTES = 64 * 1024 * 1024;

/** Returns an event as a frame of its log. */
export function chatFrame(event: ChatEvent): Pick<Frame, 'channel' | 'direction' | 'bytes'> {
  const direction: Direction = event.type === 'request' ? 'to-server' : 'to-client';
  return { channel: MODEL_CHANNEL, direction, bytes: new TextEncoder().encode(JSON.stringify(event)) };
}

const MODEL_CHANNEL = 'model' as Frame['channel'];

/** Returns the event of a frame; undefined for frames of other channels and for what can't be read as an event. */
export function chatEventIn(frame: Pick<Frame, 'channel' | 'bytes'>): ChatEvent | undefined {
  if (frame.channel !== MODEL_CHANNEL || frame.bytes.length > MOST_EVENT_BYTES) return undefined;
  return readChatEvent(new TextDecoder().decode(frame.bytes));
}

/** Returns the chat in the frames of a log. Frames that can't be read are left out. */
export function chatStateOf(frames: Iterable<Pick<Frame, 'channel' | 'bytes' | 'seq'>>): ChatState {
  const state = new ChatState();
  for (const frame of frames) {
    const event = chatEventIn(frame);
    if (event !== undefined) state.apply(event, frame.seq);
  }
  return state;
}

/** Returns the event in a frame's text; undefined if it isn't one. Members that this version doesn't know are kept. */
export function readChatEvent(text: string): ChatEvent | undefined {
  try {
    const value = parseBounded(text);
    return isChatEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
