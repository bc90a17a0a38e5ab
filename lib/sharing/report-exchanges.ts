import { prettyJson } from '@/lib/schema/json';
import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';
import { codeBlock } from './markdown-text';
import { CHARS } from './report-chars';
import { isBad } from './worst-frame';

const EXCHANGES = 10;

/** What the report is about, exchange by exchange: the last of them, and the one that it is called after. */
export function exchangesText(log: Log, main: number | undefined, shown: readonly number[]): readonly string[] {
  if (main === undefined) return [];
  const told = new Set([main, ...shown.slice(-EXCHANGES)]);
  const left = shown.filter((seq) => !told.has(seq)).length;
  const texts = shown.filter((seq) => told.has(seq)).map((seq) => exchangeText(log, seq));
  return [
    `## ${isBad(log, main) ? 'What went wrong' : 'What it is about'}`,
    ...(left > 0 ? [`${left} earlier exchanges are left out.`] : []),
    ...texts,
  ];
}

/** Both halves of the exchange that a frame is part of, or the frame. */
function exchangeText(log: Log, seq: number): string {
  const row = log.row(seq - 1);
  const request = row.kind === 'request' ? seq : row.peer;
  const exchange = request === undefined ? undefined : log.exchange(request);
  const seqs = exchange ? [exchange.requestSeq, exchange.responseSeq].filter((one) => one !== undefined) : [seq];
  const blocks = seqs.map((one) => `${frameLine(log, one)}\n\n${messageBlock(log, one)}`);
  const unanswered = exchange && exchange.responseSeq === undefined ? [withoutAnswer(exchange)] : [];
  return [...blocks, ...unanswered].join('\n\n');
}

function withoutAnswer({ status, unmatchedSeq }: Exchange): string {
  if (unmatchedSeq === undefined) return `No answer came: ${status}.`;
  return `No answer could be matched. #${unmatchedSeq} looks like the answer.`;
}

function frameLine(log: Log, seq: number): string {
  const { direction, kind, time, status } = log.row(seq - 1);
  const way = direction === 'to-server' ? 'to the server' : 'to the client';
  return `#${seq}, ${kind} ${way}, at ${(time / 1e6).toFixed(3)} s${status ? `: ${status}` : ''}`;
}

function messageBlock(log: Log, seq: number): string {
  const text = log.text(seq - 1);
  const json = text.length <= LIMITS.formattedBytes && log.json(seq - 1) !== undefined;
  return codeBlock(json ? prettyJson(text) : text, json ? 'json' : 'text', CHARS.message);
}
