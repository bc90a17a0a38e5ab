import { exchangesOf } from '@/lib/doctor/exchange-facts';
import { judge } from '@/lib/doctor/look-elsewhere';
import { Log } from '@/lib/store/log';
import type { HttpSink } from '@/lib/transports/transport';

/** Runs `look`, whose frames go to `sink`, too. Resolves with true if one of the addresses has an MCP server. */
export async function findsServer(sink: HttpSink, look: (sink: HttpSink) => Promise<void>): Promise<boolean> {
  const log = new Log('printed');
  await look({
    ...sink,
    appendFrame: (channel, direction, source, start, end, flags) => {
      log.append([{ seq: log.size + 1, time: 0, channel, direction, flags, bytes: source.slice(start, end) }]);
      return sink.appendFrame(channel, direction, source, start, end, flags);
    },
  });
  return exchangesOf(log).flatMap(judge).length > 0;
}
