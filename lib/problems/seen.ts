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
  /** Own members only; `{}` if there were none. Emptied once answered. */
  params: JsonObject;
  readonly version: ProtocolVersion | undefined;
  readonly batch: boolean;
  /** Number of the HTTP exchange it travelled on. */
  readonly exchange: number | undefined;
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
  /** The HTTP exchange it travels on. */
  readonly exchange: number | undefined;
}
