import { decodeLossy } from '../classify';
import type { Columns } from '../columns/columns';
import type { HttpExchanges } from '../exchanges/http-exchanges';
import type { Interceptions } from '../exchanges/interceptions';
import type { PrintedObjects } from '../exchanges/printed-objects';
import type { Repeats } from '../exchanges/repeats';
import { httpRow, httpSpan, refusalStatus } from './http-row';
import {
  formatAppMessage,
  formatChatEvent,
  formatLifecycle,
  formatStderr,
  LOGGED_BYTES,
  PREVIEW_BYTES,
  PREVIEW_CHARS,
  previewLine,
  previewText,
} from './labels';
import type { HttpRow, Row } from './row';

/** Builds rows from a log's columns. Indexes are seq - 1 and unchecked. */
export class Rows {
  readonly #columns: Columns;
  readonly #http: HttpExchanges;
  readonly #printed: PrintedObjects;
  readonly #repeats: Pick<Repeats, 'of'>;
  readonly #interceptions: Pick<Interceptions, 'of' | 'arrivalOf'>;

  constructor(
    columns: Columns,
    http: HttpExchanges,
    printed: PrintedObjects,
    repeats: Pick<Repeats, 'of'>,
    interceptions: Pick<Interceptions, 'of' | 'arrivalOf'>,
  ) {
    this.#columns = columns;
    this.#http = http;
    this.#printed = printed;
    this.#repeats = repeats;
    this.#interceptions = interceptions;
  }

  row(index: number): Row {
    const columns = this.#columns;
    const kind = columns.kind(index);
    const about = columns.methodRow(index);
    const exchange = columns.exchange(index);
    const givenUp = columns.givenUp(index);
    const status = columns.status(index);
    const http = kind === 'http' ? httpRow(index + 1, this.#text(index), this.#http.get(exchange ?? 0)) : undefined;
    const repeat = kind === 'notification' || kind === 'lifecycle' ? this.#repeats.of(index + 1)?.lines : undefined;
    return {
      seq: index + 1,
      time: columns.time(index),
      direction: columns.direction(index),
      channel: columns.channel(index),
      kind,
      method: columns.method(about),
      name: http ? nameOf(http) : (this.#shortText(index) ?? columns.name(columns.nameRow(index))),
      id: columns.id(index),
      status,
      refusedWith: status === 'lost' ? refusalStatus(this.#http.get(exchange ?? 0)) : undefined,
      severity: columns.severity(index),
      http,
      exchange,
      durationUs: this.durationUs(index),
      isTask: columns.taskSeq(index) !== undefined,
      givenUpAt: givenUp === undefined ? undefined : columns.time(givenUp - 1),
      bytes: columns.bytes.length(index),
      peer: columns.peer(index),
      unmatched: columns.unmatched(index),
      printed: this.#printed.objectWithLine(index + 1),
      equals: repeat && { first: repeat[0]!, count: repeat.length },
      isSecondAnswer: columns.isSecondAnswer(index),
      intercepted: this.#interceptions.of(index + 1),
      flags: columns.flags(index),
      invalidUtf8: columns.invalidUtf8(index),
    };
  }

  durationUs(index: number): number | undefined {
    const columns = this.#columns;
    const kind = columns.kind(index);
    if (kind === 'http') return this.#httpDuration(index);
    if (kind === 'other') return columns.spanUs(index);
    const isTask = columns.taskSeq(index) !== undefined;
    const peer = isTask ? columns.taskEnd(index) : kind === 'notification' ? undefined : columns.peer(index);
    if (peer === undefined) return undefined;
    const [request, end] = peer > index ? [index + 1, peer] : [peer, index + 1];
    return Math.abs(columns.time(this.#interceptions.arrivalOf(end) - 1) - columns.time(request - 1));
  }

  #httpDuration(index: number): number | undefined {
    const exchange = this.#http.get(this.#columns.exchange(index) ?? 0);
    const span = exchange && httpSpan(index + 1, exchange);
    return span && this.#columns.time(span[1] - 1) - this.#columns.time(span[0] - 1);
  }

  #shortText(index: number): string | undefined {
    const kind = this.#columns.kind(index);
    if (kind === 'lifecycle' || kind === 'note') return formatLifecycle(this.#text(index));
    const { bytes } = this.#columns;
    if (kind === 'stderr') return formatStderr(bytes.get(index, LOGGED_BYTES));
    if (kind !== 'junk' && kind !== 'other') return undefined;
    if (this.#columns.methodNumber(index) !== 0) return undefined;
    if (this.#columns.channel(index) === 'model') return formatChatEvent(bytes.get(index, PREVIEW_BYTES));
    if (this.#columns.channel(index) === 'app') return formatAppMessage(bytes.get(index, PREVIEW_BYTES));
    const object = this.#printed.objectStartingAt(index + 1);
    return object ? this.#joined(object.lines) : previewText(bytes.get(index, PREVIEW_BYTES));
  }

  /** Returns the start of a printed object on one line. */
  #joined(lines: readonly number[]): string {
    let text = '';
    for (const line of lines) {
      text += `${decodeLossy(this.#columns.bytes.get(line - 1, PREVIEW_BYTES)).trim()} `;
      if (text.length > PREVIEW_CHARS) break;
    }
    return previewLine(text);
  }

  #text(index: number): string {
    return decodeLossy(this.#columns.bytes.get(index));
  }
}

function nameOf({ what, about }: HttpRow): string {
  return about === undefined ? what : previewLine(`${what} ${about}`);
}
