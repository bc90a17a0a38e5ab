import { useEffect, useSyncExternalStore } from 'react';
import { ChatState } from '@/features/chat/lib/chat-state';
import { readChatEvent } from '@/features/chat/lib/event-frames';
import type { Log } from '@/lib/store/log';

/** The chat that was read from a log. The object is replaced when there is more. */
export interface ReadChat {
  readonly state: ChatState;
  /** All frames of the log that the page has are read. */
  readonly complete: boolean;
  readonly version: number;
}

interface Reader {
  /** Frames read so far. */
  seq: number;
  read: ReadChat;
}

const READERS = new WeakMap<Log, Reader>();

/** Returns the chat in a log. Reads each frame once; changes at most once an animation frame. */
export function useChat(log: Log): ReadChat {
  const snapshot = () => readMore(log);
  const read = useSyncExternalStore(log.subscribe, snapshot, snapshot);
  useEffect(() => {
    const next = (READERS.get(log)?.seq ?? 0) + 1;
    // A long log's first frames may have left the page before they were read.
    if (!read.complete && next <= log.size && !log.hasBytes(next)) log.wanted.want(next);
  }, [log, read]);
  return read;
}

function readMore(log: Log): ReadChat {
  const reader = READERS.get(log) ?? { seq: 0, read: { state: new ChatState(), complete: false, version: 0 } };
  READERS.set(log, reader);
  const { state } = reader.read;
  for (; reader.seq < log.size; reader.seq++) {
    if (log.columns.channel(reader.seq) !== 'model') continue;
    if (!log.hasBytes(reader.seq + 1)) {
      if (!log.wanted.isUnavailable(reader.seq + 1)) break;
      continue;
    }
    const event = readChatEvent(log.text(reader.seq));
    if (event) state.apply(event, reader.seq + 1);
  }
  const complete = reader.seq >= log.last;
  if (reader.read.version !== state.version || reader.read.complete !== complete) {
    reader.read = { state, complete, version: state.version };
  }
  return reader.read;
}

/**
 * Returns true if a log holds a chat, such as that of a recorded chat; undefined while it is empty. Looks at its first
 * frames only.
 */
export function useHoldsChat(log: Log): boolean | undefined {
  const snapshot = () => {
    for (let index = 0; index < Math.min(log.size, FIRST_FRAMES); index++) {
      if (log.columns.channel(index) === 'model') return true;
    }
    return log.size > 0 ? false : undefined;
  };
  return useSyncExternalStore(log.subscribe, snapshot, snapshot);
}

/** A chat's log begins with its settings. Before them there may be lifecycle frames. */
const FIRST_FRAMES = 20;
