import type { Log } from '@/lib/store/log';
import { reasonInLog } from '@/lib/store/reason/log-reason';
import { printedUrl } from '@/lib/wire/printed-url';
import { eventSeq } from './attempt-facts';
import { exchangesOf, type HttpExchangeFacts } from './exchange-facts';
import { judge } from './look-elsewhere';
import type { Printed, PrintedAddress } from './printed-causes';

/** Lines of each output, from the first on, that are searched for an address. */
const ADDRESS_LINES = 60;

const MESSAGES: ReadonlySet<string> = new Set(['request', 'notification', 'response', 'error', 'batch']);

/** Reads what the newest process of a log printed; undefined for a server at a URL, and before it has started. */
export function printedIn(log: Log): Printed | undefined {
  const { connection, stderr, junk } = log.state;
  const { start, spawnedSeq, exit, program, venv, opened = false } = connection;
  if (start?.transport !== 'stdio' || spawnedSeq === undefined) return undefined;
  const textOf = (seq: number): string => log.text(seq - 1);
  return {
    command: [start.command, ...start.args],
    stdout: junk.seqs.map(textOf),
    stderr: stderr.seqs.filter((seq) => seq > spawnedSeq).map(textOf),
    exit: exit && !exit.byUs ? exit : undefined,
    opened,
    hasSent: hasSentMessage(log),
    reason: reasonInLog(log),
    program,
    venv,
    address: printedAddressIn(log),
  };
}

/** Returns true if the newest process sent a message, even one that answers nothing. */
export function hasSentMessage({ columns, size, state }: Log): boolean {
  for (let seq = size; seq > (state.connection.spawnedSeq ?? 0); seq--) {
    const isFromServer = columns.channel(seq - 1) === 'protocol' && columns.direction(seq - 1) === 'to-client';
    // Answers over HTTP come from the address that it printed.
    if (isFromServer && MESSAGES.has(columns.kind(seq - 1)) && columns.exchange(seq - 1) === undefined) return true;
  }
  return false;
}

/** Returns the HTTP address of this machine that the newest process printed, and what was found there. */
export function printedAddressIn(log: Log): PrintedAddress | undefined {
  const { connection, stderr, junk } = log.state;
  const since = connection.spawnedSeq ?? 0;
  const seqs = [
    ...junk.seqs.slice(0, ADDRESS_LINES),
    ...stderr.seqs.filter((seq) => seq > since).slice(0, ADDRESS_LINES),
  ];
  const lines = seqs.map((seq) => log.text(seq - 1));
  const url = printedUrl(lines);
  if (url === undefined) return undefined;
  const line = lines.find((one) => printedUrl([one]) === url) ?? url;
  const looked = eventSeq(log, connection.seqs, 'look-further') ?? 0;
  const asked = looked > since ? exchangesOf(log).filter(({ request }) => request.seq > looked) : [];
  const servers = asked.flatMap(judge);
  const found = servers.find(({ sure }) => sure) ?? servers[0];
  // An exchange that succeeds has no end in the log, but a message or an event.
  const isOver = ({ end, answer, events }: HttpExchangeFacts): boolean => !!end || !!answer || events.length > 0;
  const isProbed = asked.length > 0 && asked.every(isOver);
  return { url, line, isProbed, found: found && { url: found.url, transport: found.transport } };
}
