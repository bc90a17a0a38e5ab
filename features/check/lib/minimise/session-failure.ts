import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Problem } from '@/lib/problems/problem';
import { ProblemFinder } from '@/lib/problems/problem-finder';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { DEFAULT_NORMALISER } from '@/lib/replay/compare/normalise';
import { decodeLossy, messagesOf, parseMessageJson } from '@/lib/store/classify';
import { STACK_LINE } from '@/lib/store/reason/line-kinds';
import { printedErrors, REASON_LINES } from '@/lib/store/reason/reason';
import type { Frame } from '@/lib/wire/frame';

/** The failure of a session that is to be kept. */
export type SessionFailure =
  /** A problem of this rule. `place`: where in the message, without indexes; absent: anywhere. */
  | { readonly kind: 'rule'; readonly rule: string; readonly place?: string }
  /** An error with this text, apart from ids, times and the like. Absent `where`: of any kind. */
  | { readonly kind: 'text'; readonly text: string; readonly where?: ErrorKind }
  /**
   * The server exits by itself, or with an error when it is ended. Absent `code`: with any code or signal. `place`: the
   * function and file that raised the exception, if the server printed one.
   */
  | { readonly kind: 'exit'; readonly code?: number | null; readonly signal?: string | null; readonly place?: string }
  /** A request without a response for this long. */
  | { readonly kind: 'timeout'; readonly ms: number };

/** The code of an error response, a tool error (`isError`), or a line of stderr. */
export type ErrorKind = number | 'tool' | 'stderr';

/** Describes a failure for people, in the middle of a sentence. */
export function failureText(failure: SessionFailure): string {
  if (failure.kind === 'rule') return `a problem of the rule ${failure.rule}`;
  if (failure.kind === 'text') {
    const { text, where } = failure;
    const kind = where === undefined ? 'error' : where === 'tool' ? 'tool error' : `error ${where}`;
    return `the ${kind} “${text.replace(/\s+/g, ' ').slice(0, SHOWN_CHARS)}”`;
  }
  if (failure.kind === 'timeout') return `a request without a response for ${failure.ms / 1000} s`;
  const { code, signal, place } = failure;
  if (code === undefined) return 'an exit of the server';
  const end = code === null ? `an end of the server by ${signal}` : `an exit of the server with code ${code}`;
  return place === undefined ? end : `${end} (${place.slice(0, SHOWN_CHARS)})`;
}

/** Most characters of an error in a sentence. */
const SHOWN_CHARS = 200;

/** Watches the frames of one session, in order, for a failure. */
export class FailureWatch {
  readonly #failure: SessionFailure;
  readonly #finder = new ProblemFinder();
  /** Frames that the rules have not checked yet. */
  #frames: Frame[] = [];
  #waitingBytes = 0;
  #isGivenUp = false;
  readonly #wanted: string;
  readonly #stderr = new StderrTail();
  #isClosing = false;
  #seq: number | undefined;

  constructor(failure: SessionFailure) {
    this.#failure = failure;
    this.#wanted = failure.kind === 'text' ? comparable(failure.text) : '';
  }

  /** seq of the frame that first showed the failure; undefined if it has not happened. */
  get seq(): number | undefined {
    return this.#seq;
  }

  addFrame(frame: Frame): void {
    const { kind } = this.#failure;
    if (kind === 'rule') {
      if (this.#isGivenUp) return;
      this.#frames.push(frame);
      this.#waitingBytes += frame.bytes.length;
    } else if (kind === 'text') this.#onTexts(frame);
    else if (kind === 'exit' && frame.channel === 'stderr') this.#stderr.add(frame);
    else if (kind === 'exit' && frame.channel === 'lifecycle') this.#onLifecycle(frame);
  }

  /** Bytes of frames that {@link checkRules} has not checked yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /**
   * Lets the rules check the frames since the last time, at the latest at the end of the session. A pattern of a
   * hostile schema may take forever.
   */
  checkRules(): void {
    if (this.#failure.kind !== 'rule') return;
    const frames = this.#frames;
    [this.#frames, this.#waitingBytes] = [[], 0];
    for (const frame of frames) this.#finder.addFrame(frame);
    const { rule, place } = this.#failure;
    const found = this.#finder.problems.find(
      (problem) => problem.rule === rule && (place === undefined || placeOf(problem) === place),
    );
    this.#seq ??= found?.seqs[0];
  }

  /** Checks no later frames, because a check was stopped. */
  giveUpRules(): void {
    [this.#frames, this.#waitingBytes, this.#isGivenUp] = [[], 0, true];
  }

  #onTexts(frame: Frame): void {
    if (this.#seq !== undefined || this.#failure.kind !== 'text') return;
    const { where: wanted } = this.#failure;
    const isSame = ({ text, where }: ErrorText) =>
      (wanted === undefined || where === wanted) && comparable(text).includes(this.#wanted);
    if (errorTexts(frame).some(isSame)) this.#seq = frame.seq;
  }

  #onLifecycle({ bytes, seq }: Frame): void {
    const event = lifecycleEventOf(bytes);
    if (event?.event === 'closing') this.#isClosing = true;
    if (event?.event !== 'exit' || this.#failure.kind !== 'exit') return;
    const { code, signal, place } = this.#failure;
    const isSame = code === undefined || (code === event.code && (signal ?? null) === event.signal);
    // Not each run prints it in time.
    if (isSame && (place === undefined || (this.#stderr.place ?? place) === place) && isCrash(event, this.#isClosing))
      this.#seq ??= seq;
  }
}

/** True unless we ended the server, and it took that well. */
function isCrash({ code }: { readonly code: number | null }, isClosing: boolean): boolean {
  return !isClosing || (code !== null && code !== 0);
}

/** Returns where a problem is, so that the same problem in another message has the same place. */
function placeOf({ path, fault }: Problem): string {
  const keys = (path ?? []).map((key) => (typeof key === 'number' ? 0 : key));
  return `${keys.join('.')} ${comparable(fault ?? '')}`;
}

function comparable(text: string): string {
  return DEFAULT_NORMALISER.text(text, undefined).replace(/\s+/g, ' ').trim();
}

/** The newest lines of stderr. */
class StderrTail {
  readonly #lines: string[] = [];

  add({ bytes }: Frame): void {
    this.#lines.push(...decodeLossy(bytes).split(/\r?\n/));
    this.#lines.splice(0, this.#lines.length - REASON_LINES);
  }

  /** Function and file that raised the last exception, without the line, which changes with the source. */
  get place(): string | undefined {
    const { report } = printedErrors(this.#lines).findLast(({ isException }) => isException) ?? {};
    const script = report?.findLast((line) => PYTHON_FRAME.test(line));
    const frame = script ?? report?.find((line) => STACK_LINE.test(line));
    return frame?.replace(/, line \d+|(?::\d+){1,2}(?=\)?\s*$)/g, '').trim();
  }
}

/** A frame of a traceback of Python, whose last one is the innermost. */
const PYTHON_FRAME = /^\s+File ".+", line \d+/;

/** A text that reports an error to people. */
interface ErrorText {
  readonly text: string;
  readonly where: ErrorKind;
}

/** Returns the texts of a frame that report an error to people. */
function errorTexts({ channel, direction, bytes }: Frame): readonly ErrorText[] {
  if (channel === 'stderr') return [{ text: decodeLossy(bytes), where: 'stderr' }];
  if (channel !== 'protocol' || direction !== 'to-client') return [];
  return messagesOf(parseMessageJson(decodeLossy(bytes))).flatMap(({ kind, body }): readonly ErrorText[] => {
    const part = own(body, kind === 'error' ? 'error' : 'result');
    if (!isObject(part)) return [];
    if (kind === 'error') return [part.message, part.data].map((one) => ({ text: textOf(one), where: codeOf(part) }));
    const isError = kind === 'response' && own(part, 'isError') === true;
    return isError ? [{ text: contentText(own(part, 'content')), where: 'tool' }] : [];
  });
}

function codeOf({ code }: JsonObject): number {
  return typeof code === 'number' ? code : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function contentText(content: unknown): string {
  const parts = Array.isArray(content) ? content : [];
  return parts.map((part) => (isObject(part) ? textOf(own(part, 'text')) : '')).join('\n');
}

/** A failure found in a recording, and the frame that shows it. */
export interface FoundFailure {
  readonly failure: SessionFailure;
  readonly seq: number;
}

/**
 * Reads the failures of a recorded session: how the server exited, the last request that timed out, the last error
 * response, and the problems that are errors. Texts have at most `TEXT_CHARS` characters.
 */
export class SessionFailureReader {
  readonly #finder = new ProblemFinder();
  readonly #stderr = new StderrTail();
  #isClosing = false;
  #exit: FoundFailure | undefined;
  #timeout: FoundFailure | undefined;
  #text: FoundFailure | undefined;

  /** Reads the next frame. The rules check it, which may take forever. */
  addFrame(frame: Frame): void {
    this.#finder.addFrame(frame);
    const { seq, channel } = frame;
    if (channel === 'protocol') {
      const error = errorTexts(frame).find(({ text }) => text !== '');
      if (error) this.#text = { failure: { kind: 'text', ...error, text: plainPart(error.text) }, seq };
    } else if (channel === 'stderr') this.#stderr.add(frame);
    const event = channel === 'lifecycle' ? lifecycleEventOf(frame.bytes) : undefined;
    if (event?.event === 'closing') this.#isClosing = true;
    if (event?.event === 'timeout') this.#timeout = { failure: { kind: 'timeout', ms: 0 }, seq };
    if (event?.event === 'exit' && isCrash(event, this.#isClosing)) {
      const { place } = this.#stderr;
      const failure = { kind: 'exit', code: event.code, signal: event.signal, ...(place && { place }) } as const;
      this.#exit ??= { failure, seq };
    }
  }

  /** Returns the failures, the worst first: an exit, a timeout, then what happened last. */
  failures(): readonly FoundFailure[] {
    const problems = this.#finder.problems
      .filter(({ severity }) => severity === 'error')
      .map((problem) => ({
        failure: { kind: 'rule', rule: problem.rule, place: placeOf(problem) } as const,
        seq: problem.seqs[0]!,
      }));
    const others = [...problems, ...(this.#text ? [this.#text] : [])].sort((a, b) => b.seq - a.seq);
    return [...(this.#exit ? [this.#exit] : []), ...(this.#timeout ? [this.#timeout] : []), ...others];
  }
}

/** Most characters of an error that are compared. */
const TEXT_CHARS = 2000;

/** Returns the longest part of an error without placeholders, which the server does not write. */
function plainPart(text: string): string {
  const parts = text.slice(0, TEXT_CHARS).split(PLACEHOLDER);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** Matches placeholders of secrets (lib/redact/placeholders.ts). */
const PLACEHOLDER = /\[redacted:[a-z-]{1,40}:[0-9a-f]{8}\]/;
