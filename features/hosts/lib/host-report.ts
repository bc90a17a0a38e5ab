import { capitalised, HOST_STATES, type HostObstacle, type HostVerdict, sourceText } from '@/features/host-judge';
import { codeSpan } from '@/lib/ci/code-span';
import { plainLine } from '@/lib/ci/server-text';
import { diagnose } from '@/lib/doctor/diagnose';
import { exchangesOf, type HttpExchangeFacts } from '@/lib/doctor/exchange-facts';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';

/** Places of an obstacle that are printed. */
const MOST_PLACES = 5;
/** Requests of a session that are printed, the first. */
const MOST_REQUESTS = 20;

/** Formats verdicts for a terminal, or as Markdown in which no text of the server is a mention or a link. */
export function hostReport(log: Log, verdicts: readonly HostVerdict[], form: 'text' | 'markdown'): string {
  const write = form === 'text' ? TEXT : MARKDOWN;
  const places = verdicts.flatMap(({ obstacles }) => obstacles.flatMap((obstacle) => obstacle.places));
  const { failure, authorization } = log.state.connection;
  const failed = failure || authorization ? diagnose(log) : undefined;
  const broken = new Set([...places, failed].map((place) => place?.seq));
  const requests = requestLines(log, broken, write);
  return [
    ...verdicts.flatMap((verdict) => [...verdictLines(verdict, write), '']),
    ...(requests.length === 0 ? [] : [write.heading('The requests of this connection'), ...requests]),
  ]
    .join('\n')
    .trimEnd();
}

interface Form {
  heading(text: string): string;
  item(text: string, depth: number): string;
  /** Writes text that a server may have sent. */
  foreign(text: string): string;
}

const TEXT: Form = {
  heading: (text) => text,
  item: (text, depth) => `${'  '.repeat(depth)}- ${text}`,
  foreign: plainLine,
};

const MARKDOWN: Form = {
  heading: (text) => `#### ${text}`,
  item: (text, depth) => `${'  '.repeat(depth - 1)}- ${text}`,
  foreign: (text) => codeSpan(plainLine(text)),
};

function verdictLines({ title, state, obstacles, untried, questions }: HostVerdict, form: Form): readonly string[] {
  return [
    form.heading(`${capitalised(title)}: ${HOST_STATES[state]}`),
    ...(obstacles.length > 0 || untried.length > 0 || questions.length > 0 ? [''] : []),
    ...obstacles.flatMap((obstacle) => obstacleLines(obstacle, form)),
    ...untried.map((sentence) => form.item(`Not tried: ${sentence}`, 1)),
    ...questions.map((question) => form.item(`For you to answer: ${question}`, 1)),
  ];
}

function obstacleLines(obstacle: HostObstacle, form: Form): readonly string[] {
  const { does, advice, places } = obstacle;
  const more = places.length - MOST_PLACES;
  return [
    form.item(`The host ${does} ${advice} (${sourceText(obstacle)})`, 1),
    ...places.slice(0, MOST_PLACES).map(({ words }) => form.item(form.foreign(words), 2)),
    ...(more > 0 ? [form.item(`… and ${more} more`, 2)] : []),
  ];
}

/** Lists the requests over HTTP with their statuses. Marks those at which a host stumbles. */
function requestLines(log: Log, broken: ReadonlySet<number | undefined>, form: Form): readonly string[] {
  const requests = exchangesOf(log).flatMap((exchange) => exchange.hops.map((hop) => ({ ...hop, exchange })));
  const more = requests.length - MOST_REQUESTS;
  return [
    ...requests.slice(0, MOST_REQUESTS).map(({ request, response, exchange }) => {
      const message = messageName(exchange);
      const seqs = [request.seq, response?.seq ?? request.seq, exchange.answer?.seq ?? request.seq];
      const what = form.foreign(`${request.method} ${request.url}${message}`);
      const status = response ? `HTTP ${response.status}` : 'no answer';
      return form.item(`${what} ${status}${seqs.some((seq) => broken.has(seq)) ? ' ← here' : ''}`, 1);
    }),
    ...(more > 0 ? [form.item(`… and ${more} more`, 1)] : []),
  ];
}

function messageName({ sent }: HttpExchangeFacts): string {
  const method = isObject(sent?.value) ? own(sent.value, 'method') : undefined;
  return typeof method === 'string' ? ` ${method}` : '';
}
