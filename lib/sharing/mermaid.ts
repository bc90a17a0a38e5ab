import { Log } from '@/lib/store/log';
import type { Row, RowStatus } from '@/lib/store/rows/row';
import { formatDuration } from '@/lib/wire/format';
import type { Frame } from '@/lib/wire/frame';

/** Most lines of a sequence diagram. Mermaid does not draw more. */
export const DIAGRAM_LINES = 400;

/** Longest label in characters. Longer ones make the diagram unreadable. */
const MOST_LABEL_CHARS = 90;

/** Frames given to the store at a time. */
const FRAMES_AT_ONCE = 500;

/**
 * Writes a sequence diagram in Mermaid's language (mermaid.js.org/syntax/sequenceDiagram.html): requests, responses
 * with durations, notifications, and everything else, including people's notes, as notes. Repetitions share one line. A
 * last note says how many frames are left out.
 */
export async function writeMermaid(frames: AsyncIterable<Frame>): Promise<string> {
  const log = new Log('shared');
  let pending: Frame[] = [];
  for await (const frame of frames) {
    // Renumber, since a selection may start at any seq but a log starts at 1.
    pending.push({ ...frame, seq: log.size + pending.length + 1 });
    if (pending.length === FRAMES_AT_ONCE) {
      log.append(pending);
      pending = [];
    }
  }
  log.append(pending);
  const server = log.state.server?.info?.name ?? log.state.connection.start?.name ?? 'Server';
  return [
    'sequenceDiagram',
    '  participant C as Client',
    `  participant S as ${label(server)}`,
    ...folded(log),
    '',
  ].join('\n');
}

function folded(log: Log): string[] {
  const lines: string[] = [];
  let last: string | undefined;
  let times = 0;
  const flush = () => {
    if (last !== undefined) lines.push(times > 1 ? `  ${last} (${times} times)` : `  ${last}`);
  };
  const { notes } = log.state.notes;
  for (let index = 0; index < log.size; index++) {
    const note = notes.get(index + 1)?.text;
    for (const line of [lineOf(log, log.row(index)), note ? `Note over C,S: ${label(note)}` : undefined]) {
      if (line === undefined) continue;
      if (line === last) {
        times++;
        continue;
      }
      if (lines.length >= DIAGRAM_LINES) {
        return [...lines, `  Note over C,S: ${leftOut(log.size - index)}`];
      }
      flush();
      [last, times] = [line, 1];
    }
  }
  flush();
  return lines;
}

function leftOut(frames: number): string {
  return frames === 1 ? '1 more frame is left out' : `${frames} more frames are left out`;
}

/** Returns undefined for a frame that the diagram leaves out. */
function lineOf(log: Log, row: Row): string | undefined {
  const [from, to] = row.direction === 'to-server' ? ['C', 'S'] : ['S', 'C'];
  const { method = '', name } = row;
  switch (row.kind) {
    case 'request':
      return `${from}->>${to}: ${label(method, name)}`;
    case 'notification':
      return `${from}-)${to}: ${label(method, log.preview(row.seq - 1) || name)}`;
    case 'response':
      return `${from}-->>${to}: ${label(outcome(row.status), name ?? method, duration(row))}`;
    case 'error':
      // A client that tries the modern handshake with a legacy server expects this.
      if (row.status === 'refused')
        return `${from}-->>${to}: ${label('refused, as expected:', name ?? method, duration(row))}`;
      return `${from}--x${to}: ${label('error', name ?? method, duration(row))}`;
    case 'batch':
      return `${from}->>${to}: ${label('batch')}`;
    case 'junk':
      return `Note right of ${from}: ${label('not a message', name)}`;
    case 'lifecycle':
      return `Note over C,S: ${label(name ?? 'connection')}`;
    default:
      return undefined;
  }
}

function outcome(status: RowStatus | undefined): string {
  return status === 'tool-error' ? 'isError' : 'result';
}

function duration({ durationUs }: Row): string | undefined {
  return durationUs === undefined ? undefined : formatDuration(durationUs);
}

/** Returns text as Mermaid accepts it: on one line, without characters of its syntax. */
function label(...words: readonly (string | undefined)[]): string {
  const text = words.filter(Boolean).join(' ');
  const cut = text.length > MOST_LABEL_CHARS ? `${text.slice(0, MOST_LABEL_CHARS)}…` : text;
  return (
    cut
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
      .replace(/[#;<>%{}]/g, (character) => `#${character.codePointAt(0)};`)
      .trim() || '?'
  );
}
