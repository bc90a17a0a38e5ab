import { isObject, type JsonObject, own } from '@/lib/json/value';
import { idKey, type RequestId } from '@/lib/wire/message';
import { META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { subscribedUris } from '@/lib/wire/resource-subscriptions';
import { type Message, messagesOf } from './classify';
import type { Exchange } from './exchanges/exchanges';
import type { Log } from './log';
import { messageSource } from './message-source';
import { toLifecycleEvent } from './state/connection-facts';
import { RESOURCES } from './state/listings';
import type { ResourceEntry } from './state/state';

const SUBSCRIBE = 'resources/subscribe';
const UNSUBSCRIBE = 'resources/unsubscribe';
const READ = 'resources/read';
/** Lists the children of a directory (extension for skills). */
export const READ_DIRECTORY = 'resources/directory/read';
/** Lists skills, whose files are resources (the same extension). */
export const LIST_SKILLS = 'skills/list';
/** Requests whose outcome matters here. */
const FOLLOWED: ReadonlySet<string | undefined> = new Set([
  SUBSCRIBE,
  UNSUBSCRIBE,
  METHOD.listen,
  READ,
  READ_DIRECTORY,
  LIST_SKILLS,
]);

/** A client's subscription to a resource, at the end of the log. */
export interface ResourceSubscription {
  /**
   * `asking`: not confirmed yet. `active`: the server reports changes. `refused`: the server answered with an error, or
   * left the resource out of what it granted. `lost`: its stream or session was lost. `ended`: by the server.
   * `stopped`: by the client. `none`: never started, or ended with the connection.
   */
  readonly state: 'none' | 'asking' | 'active' | 'refused' | 'lost' | 'ended' | 'stopped';
  /** seq of the frame that explains the state. */
  readonly seq?: number;
  /** The open `subscriptions/listen` request, to end it (2026-07-28). */
  readonly listen?: OpenListen;
}

/** A `subscriptions/listen` request that is not answered. */
interface OpenListen {
  readonly id: RequestId;
  /** The filter as sent; undefined if its frame was not readable. */
  readonly filter: JsonObject | undefined;
}

/** One resource in a log. */
interface History {
  /** Notifications that it changed. */
  updates: number;
  /** seq of the newest; 0 if none. */
  updatedSeq: number;
  /** seqs of the requests to read it, oldest first. */
  readonly reads: number[];
  /** seqs of the requests to read it as a directory, oldest first. */
  readonly directoryReads: number[];
  /** seqs of the legacy requests to subscribe and unsubscribe; 0 if none. */
  started: number;
  stopped: number;
  /** Modern requests to subscribe, oldest first. */
  readonly listens: Listen[];
}

interface Listen {
  readonly seq: number;
  readonly filter: JsonObject | undefined;
  /** The URIs that the server granted, and the frame that says so. */
  granted?: { readonly uris: ReadonlySet<string>; readonly seq: number };
  /** seq of the server's notification that it ended the stream. */
  endedSeq?: number;
}

/**
 * The resources in a log: reads, updates and subscriptions of both eras. Read from the frames when a panel first needs
 * it, then brought up to date with the frames that are new.
 */
export class ResourceHistories {
  readonly #log: Log;
  readonly #byUri = new Map<string, History>();
  readonly #listens = new Map<string, Listen>();
  /** seqs of the requests for the list of skills. */
  readonly #skillLists: number[] = [];
  /** Followed requests that had no outcome yet, with the status seen last. */
  readonly #open = new Map<number, Exchange['status']>();
  #seen = 0;
  #sessionLostSeq = 0;
  #version = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reads the frames that are new. Returns a number that changes when anything here does. */
  catchUp(): number {
    const log = this.#log;
    for (; this.#seen < log.size; this.#seen++) this.#read(this.#seen);
    for (const [seq, status] of this.#open) {
      const now = log.exchange(seq)?.status;
      if (now === status) continue;
      this.#version++;
      if (now === 'pending') this.#open.set(seq, now);
      else this.#open.delete(seq);
    }
    return this.#version;
  }

  /** URIs with a history, in the order in which they occurred. */
  get uris(): readonly string[] {
    return [...this.#byUri.keys()];
  }

  /** Returns the number of updates of a resource and the seq of the newest, 0 if there is none. */
  updatesOf(uri: string): { readonly count: number; readonly seq: number } {
    const { updates = 0, updatedSeq = 0 } = this.#byUri.get(uri) ?? {};
    return { count: updates, seq: updatedSeq };
  }

  /** Returns the newest reads of a resource that have a result, at most `count`, oldest first. */
  newestReads(uri: string, count: number): readonly Exchange[] {
    const reads = this.#byUri.get(uri)?.reads ?? [];
    const found: Exchange[] = [];
    for (let at = reads.length - 1; at >= 0 && found.length < count; at--) {
      const read = this.#log.exchange(reads[at]!);
      if (read?.status === 'ok') found.unshift(read);
    }
    return found;
  }

  /** Returns the reads of a directory, oldest first. */
  directoryReadsOf(uri: string): readonly Exchange[] {
    return this.#exchanges(this.#byUri.get(uri)?.directoryReads);
  }

  /** Returns a resource from a directory that was read, as the newest listing of it says. */
  childOf(uri: string): ResourceEntry | undefined {
    let found: ResourceEntry | undefined;
    for (const { directoryReads } of this.#byUri.values()) {
      for (const read of this.#exchanges(directoryReads)) {
        const child = childrenIn(this.#log, read).find((entry) => entry.uri === uri);
        if (child && child.seq > (found?.seq ?? 0)) found = child;
      }
    }
    return found;
  }

  /** The requests for pages of the list of skills, oldest first. */
  get skillLists(): readonly Exchange[] {
    return this.#exchanges(this.#skillLists);
  }

  /** Returns true if an update came after the newest read began. False if it was never read. */
  isStale(uri: string): boolean {
    const { seq } = this.updatesOf(uri);
    if (seq === 0) return false;
    const [read] = this.newestReads(uri, 1);
    return read !== undefined && seq > read.requestSeq;
  }

  subscriptionOf(uri: string): ResourceSubscription {
    const { connection } = this.#log.state;
    const modern = connection.era === 'modern';
    const found = modern ? this.#modern(uri) : this.#legacy(uri);
    if (connection.state === 'closed' || connection.state === 'failed') return { state: 'none' };
    return found;
  }

  #legacy(uri: string): ResourceSubscription {
    const { started = 0, stopped = 0 } = this.#byUri.get(uri) ?? {};
    const log = this.#log;
    const start = log.exchange(started);
    // A refused end leaves the subscription as it is.
    const stop = log.exchange(stopped);
    if (!start) return { state: 'none' };
    if (stopped > started && stop?.status !== 'error') return { state: 'stopped', seq: stopped };
    if (this.#sessionLostSeq > started) return { state: 'lost', seq: this.#sessionLostSeq };
    if (start.status === 'pending') return { state: 'asking', seq: started };
    if (start.status === 'ok') return { state: 'active', seq: started };
    return { state: 'refused', seq: start.responseSeq ?? started };
  }

  #modern(uri: string): ResourceSubscription {
    const covering = this.#byUri.get(uri)?.listens ?? [];
    const open = covering.findLast((listen) => this.#isOpen(listen));
    const newest = open ?? covering.at(-1);
    const exchange = newest && this.#log.exchange(newest.seq);
    if (!newest || !exchange) return { state: 'none' };
    const { granted, endedSeq, filter } = newest;
    if (this.#isOpen(newest)) {
      const listen = typeof exchange.id === 'number' || typeof exchange.id === 'string' ? exchange.id : undefined;
      const common = listen === undefined ? {} : { listen: { id: listen, filter } };
      if (!granted) return { ...common, state: 'asking', seq: newest.seq };
      return { ...common, state: granted.uris.has(uri) ? 'active' : 'refused', seq: granted.seq };
    }
    const seq = endedSeq ?? exchange.responseSeq ?? newest.seq;
    if (exchange.status === 'ok' || endedSeq !== undefined) return { state: 'ended', seq };
    if (exchange.status === 'cancelled') return { state: 'stopped', seq };
    return { state: exchange.status === 'lost' ? 'lost' : 'refused', seq };
  }

  #isOpen({ seq, endedSeq }: Listen): boolean {
    return endedSeq === undefined && this.#log.exchange(seq)?.status === 'pending';
  }

  #exchanges(seqs: readonly number[] = []): readonly Exchange[] {
    return seqs.flatMap((seq) => this.#log.exchange(seq) ?? []);
  }

  #read(index: number): void {
    const { columns } = this.#log;
    const kind = columns.kind(index);
    const seq = index + 1;
    if (kind === 'request' || kind === 'notification') {
      const direction = columns.direction(index);
      const method = columns.method(index);
      if (direction === 'to-server' && kind === 'request' && FOLLOWED.has(method)) {
        this.#addRequest(seq, method!, columns.name(index), this.#paramsOf(index, method));
      } else if (direction === 'to-client' && kind === 'notification') {
        this.#addNotification(seq, method, columns.name(index), () => this.#paramsOf(index));
      }
    } else if (kind === 'batch') {
      for (const message of this.#messagesOf(index)) this.#addMessage(seq, message);
    } else if (kind === 'lifecycle') {
      if (toLifecycleEvent(this.#log.text(index))?.event === 'session-lost') this.#sessionLostSeq = seq;
      this.#version++;
    }
  }

  /** Adds a message of a batch from the server. Batches are legacy, so requests in them are of no interest. */
  #addMessage(seq: number, { kind, method, name }: Message): void {
    if (kind === 'notification' && this.#log.columns.direction(seq - 1) === 'to-client') {
      this.#addNotification(seq, method, name, () => ({}));
    }
  }

  #addRequest(seq: number, method: string, uri: string | undefined, params: JsonObject): void {
    this.#version++;
    this.#open.set(seq, 'pending');
    if (method === METHOD.listen) {
      const filter = own(params, 'notifications');
      const uris = new Set(subscribedUris(filter));
      const listen: Listen = { seq, filter: isObject(filter) ? filter : undefined };
      this.#listens.set(idKey(this.#log.columns.id(seq - 1)), listen);
      // The name of the frame is all that is left of one that is no longer in the page.
      for (const each of uris.size === 0 && uri !== undefined ? [uri] : uris) this.#of(each).listens.push(listen);
      return;
    }
    if (method === LIST_SKILLS) this.#skillLists.push(seq);
    if (uri === undefined) return;
    const history = this.#of(uri);
    if (method === SUBSCRIBE) history.started = seq;
    else if (method === UNSUBSCRIBE) history.stopped = seq;
    else if (method === READ) history.reads.push(seq);
    else history.directoryReads.push(seq);
  }

  #addNotification(seq: number, method: string | undefined, uri: string | undefined, params: () => JsonObject): void {
    if (method === METHOD.updated && uri !== undefined) {
      const history = this.#of(uri);
      history.updates++;
      history.updatedSeq = seq;
      this.#version++;
    } else if (method === METHOD.acknowledged) {
      const meta = own(params(), '_meta');
      const listen = this.#listens.get(idKey(isObject(meta) ? own(meta, META_KEY.subscriptionId) : undefined));
      if (!listen) return;
      listen.granted = { uris: new Set(subscribedUris(own(params(), 'notifications'))), seq };
      this.#version++;
    } else if (method === METHOD.cancelled) {
      const listen = this.#listens.get(idKey(own(params(), 'requestId')));
      if (listen) listen.endedSeq = seq;
      this.#version++;
    }
  }

  #of(uri: string): History {
    const known = this.#byUri.get(uri);
    if (known) return known;
    const made: History = {
      updates: 0,
      updatedSeq: 0,
      started: 0,
      stopped: 0,
      reads: [],
      directoryReads: [],
      listens: [],
    };
    this.#byUri.set(uri, made);
    return made;
  }

  /** Returns a message's params; {} if they are not an object, not needed, or no longer in the page. */
  #paramsOf(index: number, method: string | undefined = METHOD.listen): JsonObject {
    if (method !== METHOD.listen) return {};
    const value = this.#log.json(index)?.value;
    const params = isObject(value) ? own(value, 'params') : undefined;
    return isObject(params) ? params : {};
  }

  #messagesOf(index: number): readonly Message[] {
    const value = this.#log.json(index)?.value;
    return value === undefined ? [] : messagesOf(value);
  }
}

/** Returns the children that the response to `resources/directory/read` lists; none while there is no response. */
export function childrenIn(log: Log, { responseSeq, id }: Exchange): readonly ResourceEntry[] {
  const seq = responseSeq ?? 0;
  const result = seq > 0 ? messageSource(log, seq, id)?.member('result')?.value : undefined;
  const children = isObject(result) ? own(result, 'resources') : undefined;
  return (Array.isArray(children) ? children : []).flatMap((child, place) =>
    isObject(child) ? [RESOURCES.entry(child, seq, place)] : [],
  );
}

const KNOWN = new WeakMap<Log, ResourceHistories>();

/** Returns the histories of a log's resources, up to date. */
export function resourceHistories(log: Log): ResourceHistories {
  const known = KNOWN.get(log) ?? new ResourceHistories(log);
  KNOWN.set(log, known);
  known.catchUp();
  return known;
}
