import { hasPlaceholder } from '@/lib/compare/placeholders';
import { RECORDING_VERSION } from '@/lib/recording/format';
import type { OpenedSession } from '@/lib/session/open-session';
import type { ClientMessage } from '@/lib/session/recorded-session';

/** What is replayed, and what is special about it, in sentences for the person who started it. */
export function replayNotes({ header, report, session, failure }: OpenedSession): readonly string[] {
  const calls = session.sent.filter(({ kind }) => kind === 'call').length;
  const version = session.version === undefined ? '' : `, ${session.version}`;
  const { damaged, missing, torn, complete } = report;
  return [
    `Replaying ${header.name || 'a server'}${version}, recorded ${header.at}: ${calls} request${calls === 1 ? '' : 's'}.`,
    ...(header.version > RECORDING_VERSION
      ? ['A newer mcp-inspect made this recording; what this one does not know of is left out.']
      : []),
    ...(header.selection ? ['It is a part of a recording: requests may be missing.'] : []),
    ...(damaged.count > 0 ? [`Damaged lines, which are left out: ${damaged.count}.`] : []),
    ...(missing > 0 ? [`Missing frames: ${missing}.`] : []),
    ...(complete && !torn ? [] : ['The recording is incomplete: who wrote it did not come to its end.']),
    ...(session.sent.some(isRedacted)
      ? ['Secrets were taken out of it: its client gets placeholders in their place.']
      : []),
    ...(session.handshake ? [] : ['Its handshake is not in it, so one is made up from what is.']),
    ...(failure === undefined ? [] : [failure]),
  ];
}

function isRedacted(message: ClientMessage): boolean {
  return message.kind === 'call' && message.answer !== undefined && hasPlaceholder(message.answer.text);
}
