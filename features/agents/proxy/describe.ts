import { otherHalf, rowLabel, statusText } from '@/lib/store/rows/row-text';
import { countOf, formatDuration } from '@/lib/wire/format';
import { plainWord } from './answer';
import { newestExitText } from './evidence/connection';
import type { OpenedSource } from './tools/tool';

/** Characters of a row's text. */
const ROW_CHARS = 160;

/** Describes the session of a recording in one line. */
export function sessionLine({ name, recording: { log }, source, quote }: OpenedSource): string {
  const { connection, server } = log.state;
  const { start, transport, version, era, state, exit } = connection;
  const { info } = server;
  const about = info ? `${info.name} ${info.version}`.trim() : (start?.name ?? '');
  // A session that has ended still says who had it.
  const tap = start && 'tap' in start ? start.tap : undefined;
  const used = source.host || tap?.host || (source.host ?? (tap && ''));
  const host = used === undefined ? '' : `used by ${plainWord(used, 'a host')} through a tap`;
  const end = exit && !exit.byUs ? `server ended (${newestExitText(log)})` : '';
  const facts = [
    about === '' ? '' : `server ${quote(about, 100)}`,
    transport && plainWord(transport, ''),
    version && `MCP ${plainWord(version, 'of an unknown version')}`,
    era && plainWord(era, ''),
    countOf(log.size, 'frame'),
    source.entry.live ? 'still being recorded' : state === 'failed' ? 'failed' : '',
    end,
    host,
  ];
  return `Recording ${name}: ${facts.filter(Boolean).join(', ')}`;
}

/** Describes a frame in one line: number, time, direction, what it is, its outcome and the start of its content. */
export function rowLine({ recording: { log }, quote }: OpenedSource, seq: number): string {
  const row = log.row(seq - 1);
  const { what, about } = rowLabel(row);
  const outcome = row.kind === 'request' || row.status !== 'ok' ? statusText(row) : undefined;
  const other = otherHalf(row);
  const content = log.hasBytes(seq) ? (log.preview(seq - 1) ?? '') : '';
  const text = [about === what ? undefined : about, content].filter(Boolean).join(' ');
  const arrow = row.channel === 'protocol' ? (row.direction === 'to-server' ? '→' : '←') : '·';
  const facts = [
    outcome,
    row.durationUs === undefined || row.kind === 'request' ? undefined : formatDuration(row.durationUs),
    other === undefined ? undefined : `${row.kind === 'request' ? 'response' : 'request'} #${other}`,
  ].filter(Boolean);
  const head = `#${seq} ${(row.time / 1e6).toFixed(3)} s ${arrow} ${isOurs(row.kind) ? what : quote(what, 80)}`;
  return `${head}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${text === '' ? '' : ` ${quote(text, ROW_CHARS)}`}`;
}

/** The label of these rows is a word of mcp-inspect; that of others is a method or a text of the server. */
function isOurs(kind: string): boolean {
  return kind === 'response' || kind === 'error' || kind === 'junk' || kind === 'stderr';
}
