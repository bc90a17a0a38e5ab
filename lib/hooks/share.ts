import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ShareClient, viewerTemplate } from '@/lib/client/share-client';
import { startShareWorker } from '@/lib/client/workers';
import type { FrameSelection } from '@/lib/sharing/selection';
import type { ReviewResult, ShareKind, ShareRequest, ShareResult, ShareSource } from '@/lib/sharing/share-job';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { useClient } from './client';
import { useCheckedFrames, useRulesStopped, useUnchecked } from './problems';

/** The work under way. `of` is 0 while unknown. */
export interface ShareWork {
  readonly what: 'Reading the log' | 'Looking for secrets' | 'Creating the output';
  readonly done: number;
  readonly of: number;
}

/** The choices of a person. Each part must stay the same object until it changes. */
export interface ShareChoices extends Omit<ShareRequest, 'template' | 'unchecked'> {
  readonly selection: FrameSelection;
  /** The kinds that are offered. Outputs of the others are made after the chosen one, for their sizes. */
  readonly kinds: readonly ShareKind[];
}

/** An output, or why there is none. */
export type ShareOutput =
  | { readonly made: ShareResult; readonly failure?: undefined }
  | { readonly failure: Failure; readonly made?: undefined };

/** A log that is being shared. */
export interface Share {
  /** The last review. While a new one runs, it is that of an earlier selection. */
  readonly reviewed: ReviewResult | undefined;
  /** Returns the output of a kind; undefined while it is not made. */
  readonly outputOf: (kind: ShareKind) => ShareOutput | undefined;
  /** Returns true for outputs that are made only when the user chooses them. */
  readonly isOnDemand: (kind: ShareKind) => boolean;
  readonly work: ShareWork | undefined;
  /** True once the user cancelled the work. */
  readonly isCancelled: boolean;
  /** Why the log could not be reviewed. */
  readonly failure: Failure | undefined;
  readonly cancel: () => void;
  /** Does again what was cancelled or failed. */
  readonly tryAgain: () => void;
  /** Resolves to undefined if it fails or is aborted. */
  readonly count: (pattern: ShareRequest['patterns'][number], signal: AbortSignal) => Promise<number | undefined>;
}

/** A worker with the log, and the frames on their way to it. */
interface Session {
  readonly sharing: ShareClient;
  readonly read: Promise<void>;
  /** True once all frames are read. */
  isRead: boolean;
}

/**
 * Largest log, in bytes, whose outputs are all made for their sizes. Some take several times its memory. Outputs of a
 * larger log are made when the user chooses them.
 */
const MEASURED_BYTES = 64 * 1024 * 1024;
/** Outputs of a large log that need little memory, or share the work of another one. */
const ALWAYS_MEASURED: ReadonlySet<ShareKind> = new Set(['html', 'gz', 'jsonl', 'link']);

const NONE: ReadonlyMap<string, ShareOutput> = new Map();

/**
 * Shares a log as it is now, `live` or recorded. A worker does the work, and lives as long as the component. If it has
 * to be ended because a pattern or schema hangs, another takes its place, and no choice is lost.
 */
export function useShare(log: Log, about: ShareSource['about'], live: boolean, choices: ShareChoices): Share {
  const { selection, kind, decisions, patterns, name } = choices;
  const client = useClient();
  const [begun] = useState(() => ({ about, frames: log.last, salt: crypto.getRandomValues(new Uint8Array(32)) }));
  const session = useRef<Session>(undefined);
  const work = useWork();
  const { show, restart, wasCancelled } = work;
  const [reviewed, setReviewed] = useState<
    { readonly by: Session; readonly selection: FrameSelection } & ReviewResult
  >();
  const [failure, setFailure] = useState<Failure>();
  const [attempt, setAttempt] = useState(0);
  const [round, setRound] = useState(0);
  const startOver = useCallback(() => setAttempt((before) => before + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt needs a new worker
  useEffect(() => {
    const sharing = new ShareClient(startShareWorker(), begun.salt);
    const onProgress = (done: number, of: number) => show({ what: 'Reading the log', done, of });
    const { frames } = begun;
    const read = live
      ? client
          .readLog(log.connection, frames)
          .then((bytes) => sharing.readRecording(bytes, frames, begun.about, onProgress))
      : sharing.read(log, frames, begun.about, onProgress);
    const made: Session = { sharing, read, isRead: false };
    read.then(
      () => {
        made.isRead = true;
      },
      () => {},
    );
    sharing.onEnded = ({ code }) => {
      // A worker that can't be loaded would fail again. After a cancellation, the user says what comes next.
      if (code !== 'share-failed' && !wasCancelled()) startOver();
    };
    session.current = made;
    return () => sharing.close();
  }, [log, begun, live, client, show, wasCancelled, startOver, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt needs a new review
  useEffect(() => {
    const by = session.current!;
    if (by.sharing.hasEnded) {
      startOver();
      return;
    }
    const { signal, stop } = restart();
    const onProgress = (done: number, of: number) => show({ what: 'Looking for secrets', done, of });
    setFailure(undefined);
    show({ what: 'Reading the log', done: 0, of: 0 });
    by.read
      .then(() => by.sharing.review(selection, onProgress, signal))
      .then(
        (found) => setReviewed({ ...found, by, selection }),
        (error) => {
          if (signal.aborted) return;
          setFailure(error as Failure);
          stop();
        },
      );
    return stop;
  }, [selection, show, restart, startOver, attempt]);

  const current = reviewed?.by === session.current && reviewed?.selection === selection ? reviewed : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the choices that every output depends on
  const content = useMemo(() => ({}), [selection, decisions, patterns, name]);
  const outputs = useOutputs(content);
  const isLarge = reviewed !== undefined && reviewed.bytes > MEASURED_BYTES;
  const orders = useOrders(log, begun.frames, choices, isLarge);
  const { keep, known } = outputs;
  const template = useRef<Promise<Blob>>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further round tries again
  useEffect(() => {
    if (!current) return;
    const { sharing } = current.by;
    if (sharing.hasEnded) {
      startOver();
      return;
    }
    const { signal, stop } = restart();
    const make = async (order: ShareRequest) => {
      const isChosen = order.kind === kind;
      const onProgress = (done: number, of: number) => {
        if (isChosen && !signal.aborted) show({ what: 'Creating the output', done, of });
      };
      onProgress(0, 0);
      const output = await withTemplate(order, template)
        .then((whole) => sharing.make(whole, onProgress, signal))
        .then(
          (made): ShareOutput => ({ made }),
          (error): ShareOutput => ({ failure: error as Failure }),
        );
      // A job that ends with its worker is not at fault: another worker does it again.
      if (!signal.aborted && output.failure?.code !== 'cancelled') keep(order, output);
    };
    void (async () => {
      for (const order of orders) {
        if (!known(order)) await make(order);
        if (signal.aborted) return;
        if (order.kind === kind) show(undefined);
        // Another worker makes the others.
        if (sharing.hasEnded) return;
      }
    })();
    return stop;
  }, [current, orders, kind, keep, known, show, restart, startOver, round]);

  const count = useCallback(
    (pattern: ShareRequest['patterns'][number], signal: AbortSignal) =>
      session.current!.sharing.count(pattern, signal).catch(() => undefined),
    [],
  );
  return {
    reviewed,
    outputOf: (wanted) => {
      const order = orders.find((one) => one.kind === wanted);
      return current && order && outputs.outputOf(order);
    },
    isOnDemand: (wanted) => isLarge && wanted !== kind && !ALWAYS_MEASURED.has(wanted),
    work: work.shown,
    isCancelled: work.isCancelled,
    failure,
    cancel: () => {
      work.cancel();
      // The frames are handed over in one go.
      if (!session.current?.isRead) session.current?.sharing.close();
    },
    tryAgain: () => {
      outputs.forgetFailures();
      if (current) setRound(round + 1);
      else startOver();
    },
    count,
  };
}

/** The work that is shown, and how to stop it. Newer work stops older work. */
function useWork() {
  const [shown, setShown] = useState<ShareWork>();
  const [isCancelled, setIsCancelled] = useState(false);
  const running = useRef<AbortController>(undefined);
  const cancelled = useRef(false);
  const setCancelled = useCallback((is: boolean) => {
    cancelled.current = is;
    setIsCancelled(is);
  }, []);
  const wasCancelled = useCallback(() => cancelled.current, []);
  const restart = useCallback(() => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setCancelled(false);
    const stop = () => {
      control.abort();
      if (running.current === control) setShown(undefined);
    };
    return { signal: control.signal, stop };
  }, [setCancelled]);
  const cancel = () => {
    running.current?.abort();
    setShown(undefined);
    setCancelled(true);
  };
  return { shown, isCancelled, wasCancelled, show: setShown, restart, cancel };
}

/** Returns the requests for all outputs, the chosen kind first. */
function useOrders(log: Log, frames: number, choices: ShareChoices, isLarge: boolean): readonly ShareRequest[] {
  const { kinds, kind, decisions, patterns, name, page, about } = choices;
  const unchecked = useUnchecked(log);
  const checked = useCheckedFrames(log) >= frames;
  const stopped = useRulesStopped(log);
  return useMemo(() => {
    const measured = kinds.filter((other) => !isLarge || ALWAYS_MEASURED.has(other));
    // A report runs the rules. Before the page's own have ended, they may hang on a schema.
    const others = measured.filter((other) => other !== kind && (other !== 'markdown' || checked || stopped));
    return [kind, ...others].map((each) => ({
      kind: each,
      decisions,
      patterns,
      name,
      ...(each === 'link' && page !== undefined && { page }),
      ...(each === 'markdown' && about !== undefined && { about }),
      // Leave out schema checks that hung the page's own rules, since they would hang the report too.
      ...(each === 'markdown' && unchecked && { unchecked }),
    }));
  }, [kinds, kind, decisions, patterns, name, page, about, unchecked, checked, stopped, isLarge]);
}

/** The outputs made of one content. Another content forgets them. */
function useOutputs(content: object) {
  const [state, setState] = useState({ content, made: NONE });
  const latest = useRef(state);
  const made = state.content === content ? state.made : NONE;
  const replace = useCallback((next: typeof state) => {
    latest.current = next;
    setState(next);
  }, []);
  const current = useCallback(() => (latest.current.content === content ? latest.current.made : NONE), [content]);
  const known = useCallback((order: ShareRequest) => current().has(keyOf(order)), [current]);
  const keep = useCallback(
    (order: ShareRequest, output: ShareOutput) =>
      replace({ content, made: new Map(current()).set(keyOf(order), output) }),
    [content, current, replace],
  );
  const forgetFailures = () =>
    replace({ content, made: new Map([...current()].filter(([, output]) => output.made !== undefined)) });
  return { known, keep, forgetFailures, outputOf: (order: ShareRequest) => made.get(keyOf(order)) };
}

function keyOf({ kind, page, about, unchecked }: ShareRequest): string {
  return JSON.stringify([kind, page, about, unchecked]);
}

/** Adds the viewer to a request for a page. It is loaded once. */
async function withTemplate(order: ShareRequest, loaded: RefObject<Promise<Blob> | undefined>): Promise<ShareRequest> {
  if (order.kind !== 'html') return order;
  loaded.current ??= viewerTemplate();
  try {
    return { ...order, template: await loaded.current };
  } catch (error) {
    loaded.current = undefined;
    throw error;
  }
}
