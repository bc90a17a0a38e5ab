import { parseExactJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { countOf } from '@/lib/wire/format';
import type { ToolType } from './declarations';
import { inferType } from './infer';

/** Results below which a type is a guess: rare keys and values were probably not seen. */
const FEW_RESULTS = 20;

/** The results of one tool, from which its type is inferred. */
export class ToolResults {
  readonly tool: string;
  readonly skipped = { errors: 0, withoutData: 0, tooMany: 0 };
  readonly #most: number;
  readonly #values = { structuredContent: [] as unknown[], text: [] as unknown[] };
  #chars = 0;

  /** `most`: characters of results that are kept. Values take about ten times as many bytes. */
  constructor(tool: string, most: number) {
    this.tool = tool;
    this.#most = most;
  }

  /** Counts a call that was answered by an error. */
  addError(): void {
    this.skipped.errors++;
  }

  /** Adds a `tools/call` result, given as JSON. Returns its data. Never throws. */
  add(text: string): Observation | NotObserved {
    const found = observe(text);
    if (found === 'error') this.skipped.errors++;
    else if (found === 'no JSON') this.skipped.withoutData++;
    else if (found !== 'unfinished') this.#keep(found);
    return found;
  }

  #keep({ from, value, text }: Observation): void {
    if (this.#chars + text.length > this.#most) {
      this.skipped.tooMany++;
      return;
    }
    this.#chars += text.length;
    this.#values[from].push(value);
  }

  /** The kind of data that is learnt from; undefined if there is none. Structured content counts if there is any. */
  get from(): Observation['from'] | undefined {
    return (['structuredContent', 'text'] as const).find((from) => this.#values[from].length > 0);
  }

  /** Infers the type; undefined without data. */
  learn(): ToolType | undefined {
    const { tool, from } = this;
    const values = from && this.#values[from];
    return values && { tool, type: inferType(values), results: values.length };
  }

  /** Sentences about what the type comes from. */
  get notes(): readonly string[] {
    const { from } = this;
    const { errors, withoutData, tooMany } = this.skipped;
    const count = from ? this.#values[from].length : 0;
    const guess = count > 0 && count < FEW_RESULTS ? '; record more for a reliable type' : '';
    return [
      `${countOf(count, 'result')}${from === 'text' ? ' (JSON in text)' : ''}${guess}.`,
      ...(errors > 0 ? [`${countOf(errors, 'error')} left out.`] : []),
      ...(withoutData > 0 ? [`${countOf(withoutData, 'result')} without JSON left out.`] : []),
      ...(tooMany > 0 ? [`${countOf(tooMany, 'result')} left out, because the others are large enough.`] : []),
    ];
  }
}

/** The data of one result of a tool: its structured content, or the JSON of its only text. */
export interface Observation {
  readonly from: 'structuredContent' | 'text';
  readonly value: unknown;
  /** The value as the server wrote it. */
  readonly text: string;
}

/** Why a result has no data: it is an error, a task or a question instead, or it has no JSON. */
export type NotObserved = 'error' | 'unfinished' | 'no JSON';

/** Reads the data of a `tools/call` result, given as JSON. Never throws. */
function observe(result: string): Observation | NotObserved {
  const source = JsonSource.parse(result);
  if (source?.member('isError')?.value === true) return 'error';
  const structured = source?.member('structuredContent');
  const isUnfinished = source?.member('resultType')?.value === 'input_required' || source?.member('task') !== undefined;
  if (isUnfinished && !structured) return 'unfinished';
  if (structured) return { from: 'structuredContent', value: parseExactJson(structured.text), text: structured.text };
  const content = source?.member('content');
  const only = content?.kind === 'array' && content.children(2).count === 1 ? content.item(0) : undefined;
  const text = only?.member('type')?.value === 'text' ? only.member('text')?.value : undefined;
  // A text such as `42` or `true` is JSON by chance.
  if (typeof text !== 'string' || !/^\s*[{[]/.test(text) || !JsonSource.parse(text)) return 'no JSON';
  return { from: 'text', value: parseExactJson(text), text };
}
