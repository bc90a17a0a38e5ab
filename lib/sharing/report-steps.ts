import { commandText } from '@/lib/snippets/command-line';
import { ownParams } from '@/lib/snippets/described-request';
import { messageSource } from '@/lib/store/answer-source';
import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import { codeSpan } from './markdown-text';
import { CHARS } from './report-chars';
import { BY_ITSELF } from './report-subject';

const STEPS = 50;
/** In the place of a secret (lib/redact/placeholder.ts), and of what is masked in headers. */
const WHAT_WAS_TAKEN_OUT = /\[redacted:[a-z-]{1,40}:[0-9a-f]{8}\]|•••/g;

/** What the client asked for up to the frame that the report is about, in order, as what it takes to ask again. */
export function stepsText(log: Log, about: number | undefined): readonly string[] {
  const { start, era, version } = log.state.connection;
  const asked: Exchange[] = [];
  for (let seq = 1; seq <= (about ?? log.size); seq++) {
    const exchange = log.exchange(seq);
    if (exchange?.direction !== 'to-server' || exchange.status === 'refused') continue;
    if (exchange.status !== 'ok' || !BY_ITSELF.has(exchange.method)) asked.push(exchange);
  }
  if (asked.length === 0) return [];
  const lines = asked.slice(-STEPS).map((exchange, index) => {
    const { requestSeq, method, name, status } = exchange;
    const params = ownParams(messageSource(log, requestSeq)?.member('params')?.text);
    const what = codeSpan([method, name].filter(Boolean).join(' '), CHARS.word);
    const text = start && commandText({ method, params, start, era, version });
    const command = text ? `\n   ${codeSpan(text, CHARS.command)}` : '';
    return `${index + 1}. ${what} (#${requestSeq}): ${status}${command}${toGiveWords(text)}`;
  });
  const before = asked.length - lines.length;
  return ['## Steps', [...(before > 0 ? [`${before} earlier requests are left out.\n`] : []), ...lines].join('\n')];
}

/** That a command is not to be run as it stands. */
function toGiveWords(command = ''): string {
  const places = [...new Set(command.match(WHAT_WAS_TAKEN_OUT))];
  if (places.length === 0) return '';
  const which = places.map((place) => codeSpan(place, CHARS.word)).join(', ');
  return `\n   A value belongs here in the place of ${which}: it was taken out.`;
}
