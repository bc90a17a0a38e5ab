import type { Message } from '@/lib/store/classify';
import type { Direction } from '@/lib/wire/frame';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import type { JsonObject, RequestId } from '@/lib/wire/message';

/** A request as it is remembered until long after it was answered. */
export interface Ask {
  readonly seq: number;
  readonly direction: Direction;
  readonly id: RequestId;
  readonly method: string;
  /** `{}` if there were none, and once it is answered. */
  params: JsonObject;
  readonly version: ProtocolVersion | undefined;
  readonly batch: boolean;
  /** Number of the HTTP exchange it travelled on. */
  readonly exchange: number | undefined;
  /** It may be answered by a task, which goes on after the answer. */
  readonly task: boolean;
  answerSeq: number | undefined;
}

/** A message with what can be said of it from what came before. */
export interface Seen {
  readonly seq: number;
  readonly direction: Direction;
  readonly kind: Message['kind'];
  readonly id: Message['id'];
  /** `''` if there is none. */
  readonly method: string;
  readonly body: JsonObject;
  /** Its params if they are an object, or else `{}`. */
  readonly params: JsonObject;
  /** The version whose table holds for it; undefined while none is agreed on. */
  readonly version: ProtocolVersion | undefined;
  readonly modern: boolean;
  /** Part of an array. */
  readonly batch: boolean;
  /** Of answers: the request with this id, answered or not. */
  readonly ask: Ask | undefined;
  /** Of answers to a list: the cursor that the page was asked for with. */
  readonly cursor: unknown;
  /** The HTTP exchange it travels on. */
  readonly exchange: number | undefined;
}
