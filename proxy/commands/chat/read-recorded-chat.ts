import { resolve } from 'node:path';
import type { ChatEvent } from '@/lib/chat/chat-frame';
import { ChatState } from '@/lib/chat/chat-state';
import { chatEventIn } from '@/lib/chat/event-frames';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { openErrorText } from '@/proxy/recorder/open-file';
import { damageSentences, readTrafficFile } from '@/proxy/recorder/read-traffic';

/** A chat of a recording. */
interface RecordedChat {
  readonly state: ChatState;
  readonly events: readonly ChatEvent[];
  /** The last turn of its newest branch. */
  readonly leaf: string;
  /** Each event has the number that its frame has, as in a recording without gaps. */
  readonly isWhole: boolean;
}

/** Reads the chat in a recording. `option` is the one that named the file. Rejects with an ExitError. */
export async function readRecordedChat(
  file: string,
  option: string,
  { status, printNote }: Pick<CommandContext, 'status' | 'printNote'>,
): Promise<RecordedChat> {
  const state = new ChatState();
  const events: ChatEvent[] = [];
  let isWhole = true;
  status.show('Reading the chat… Ctrl-C cancels');
  const opened = await readTrafficFile(resolve(file), {
    through: (frame) => {
      const event = chatEventIn(frame);
      if (event) {
        state.apply(event, frame.seq);
        isWhole &&= events.push(event) === frame.seq;
      }
      return frame;
    },
  }).catch((error: unknown) => {
    throw usageError(`\`${file}\` can’t be opened. ${openErrorText(error, `after \`${option}\``)}`);
  });
  status.end();
  for (const sentence of damageSentences(opened)) printNote(`mcp-inspect: ${sentence}`);
  await opened.close();
  const leaf = state.leafFrom();
  if (leaf === undefined)
    throw usageError('The recording has no chat: give one that `mcp-inspect chat --record` made.');
  return { state, events, leaf, isWhole };
}
