import type { ServerOffer } from '@/features/chat/lib/chat-api';
import { isObject, type JsonObject, own } from '@/lib/json/value';

/** A prompt or a resource of a server that can be put into a message. */
export interface Insertion {
  readonly key: string;
  readonly kind: 'prompt' | 'resource';
  readonly connection: string;
  readonly server: string;
  /** Name of the prompt, or URI of the resource. */
  readonly name: string;
  /** Shown beside it. */
  readonly note: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** Suggestions that are shown at a time. */
const MOST_SHOWN = 50;

/** A word before the caret that begins with `/` or `@`. */
export interface TypedWord {
  readonly kind: Insertion['kind'];
  readonly text: string;
  /** Offset at which it begins. */
  readonly start: number;
}

/** Returns the word before the caret if it asks for an insertion. A path or an address has no space before the sign. */
export function wordBefore(text: string, caret: number): TypedWord | undefined {
  const [, sign, typed] = /(?:^|\s)([/@])(\S{0,200})$/.exec(text.slice(0, caret)) ?? [];
  if (sign === undefined || typed === undefined) return undefined;
  return { kind: sign === '/' ? 'prompt' : 'resource', text: typed, start: caret - typed.length - 1 };
}

/** Returns what fits a typed word: names that begin with it first. */
export function insertionsFor(offers: readonly ServerOffer[], word: TypedWord): readonly Insertion[] {
  const all = offers.flatMap((offer) => (word.kind === 'prompt' ? promptsOf(offer) : resourcesOf(offer)));
  const typed = word.text.toLowerCase();
  const rank = ({ name, note }: Insertion) =>
    name.toLowerCase().startsWith(typed)
      ? 0
      : name.toLowerCase().includes(typed)
        ? 1
        : note.toLowerCase().includes(typed)
          ? 2
          : 3;
  return all
    .map((one) => ({ one, rank: rank(one) }))
    .filter((ranked) => ranked.rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MOST_SHOWN)
    .map(({ one }) => one);
}

function promptsOf({ connection, server, prompts }: ServerOffer): Insertion[] {
  return prompts.map(({ name, description, arguments: args = [] }) => ({
    key: `${connection} ${name}`,
    kind: 'prompt',
    connection,
    server,
    name,
    note: [server, description].filter(Boolean).join(' · '),
    arguments: args.flatMap(readArgument),
  }));
}

function resourcesOf({ connection, server, resources }: ServerOffer): Insertion[] {
  return resources.map(({ uri, name }) => ({
    key: `${connection} ${uri}`,
    kind: 'resource',
    connection,
    server,
    name: uri,
    note: [server, name === uri ? '' : name].filter(Boolean).join(' · '),
    arguments: [],
  }));
}

function readArgument(value: JsonObject): PromptArgument[] {
  if (!isObject(value)) return [];
  const [name, description] = [own(value, 'name'), own(value, 'description')];
  if (typeof name !== 'string') return [];
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      required: own(value, 'required') === true,
    },
  ];
}
