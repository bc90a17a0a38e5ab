import { responseOf } from '@/components/exchange/outcome';
import { ToolResults } from '@/lib/contract/tool-results';
import { TYPE_FORMS } from '@/lib/contract/type-forms';
import type { Log } from '@/lib/store/log';
import { runToEnd } from '@/lib/wire/in-slices';

/** Most characters of results that are read, the newest first, since that happens on the page’s main thread. */
const READ_CHARS = 4_000_000;
/** Most results that are held against the declared schema. Each is a message to a worker. */
const MOST_CHECKED = 500;
/** Frames looked through between two pauses. */
const FRAMES_PER_STEP = 5000;

/** The structured content of a result; undefined if it has none. */
interface StructuredResult {
  readonly seq: number;
  readonly text: string | undefined;
}

/** Everything about the results of one tool in a log. */
export interface ResultsInLog {
  readonly results: ToolResults;
  /** The newest results, to hold against the declared schema. */
  readonly toCheck: readonly StructuredResult[];
  /** Results whose text is not in the page. */
  readonly away: number;
  /** Older results were not read. */
  readonly isCut: boolean;
}

/** Reads the results of a tool, newest first. Yields to other work. */
export function* resultsInLog(log: Log, tool: string): Generator<void, ResultsInLog> {
  const { columns } = log;
  const results = new ToolResults(tool, READ_CHARS);
  const toCheck: StructuredResult[] = [];
  let away = 0;
  let chars = 0;
  for (let index = log.size - 1; index >= 0; index--) {
    if (index % FRAMES_PER_STEP === 0) yield;
    if (columns.kind(index) !== 'request' || columns.direction(index) !== 'to-server') continue;
    if (columns.method(index) !== 'tools/call' || columns.name(index) !== tool) continue;
    const exchange = log.exchange(index + 1);
    const seq = exchange?.responseSeq;
    if (seq === undefined) continue;
    if (!log.hasBytes(seq)) away++;
    const { result, error } = responseOf(log, exchange) ?? {};
    if (error) results.addError();
    if (!result) continue;
    chars += result.text.length;
    if (chars > READ_CHARS) return { results, toCheck, away, isCut: true };
    const found = results.add(result.text);
    yield;
    if (found === 'error' || found === 'unfinished' || toCheck.length === MOST_CHECKED) continue;
    const isStructured = found !== 'no JSON' && found.from === 'structuredContent';
    toCheck.push({ seq, text: isStructured ? found.text : undefined });
  }
  return { results, toCheck, away, isCut: false };
}

/** Returns the inferred outputSchema of a tool as JSON. Throws if no result has data. */
export function inferredOutputSchema(log: Log, tool: string): string {
  const learnt = runToEnd(resultsInLog(log, tool)).results.learn();
  if (!learnt) throw new Error('No result has data.');
  return TYPE_FORMS.schema.write([learnt]);
}
