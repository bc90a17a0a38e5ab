import type { Frame } from '@/lib/wire/frame';
import { framesOf, type Said } from './carriers';
import { Random } from './random';

/** A recording with a secret, before its frames are made. */
export interface Draft {
  readonly said: readonly Said[];
  /** The secret in every form that it was written in. */
  readonly secrets: readonly string[];
  /** Values that the server was started with. */
  readonly given?: readonly string[];
}

/** Makes a recording with a secret. */
export type SecretTemplate = (random: Random) => Draft;

/** A kind of place for secrets, and how many texts of it a corpus has. */
export interface SecretClass {
  readonly id: string;
  readonly count: number;
  /** Nothing marks these values as secrets, so they are reported apart. */
  readonly apart?: true;
  readonly templates: readonly SecretTemplate[];
}

/** Returns two classes with every other template each, so that rules can be written with one half in view alone. */
export function halvesOf(id: string, templates: readonly SecretTemplate[]): readonly SecretClass[] {
  return [0, 1].map((half) => {
    const own = templates.filter((_, at) => at % 2 === half);
    return { id: `${id}, ${half === 0 ? 'in view' : 'kept back'}`, count: own.length, templates: own };
  });
}

/** A recording with a planted secret. */
export interface PlantedText {
  readonly from: SecretClass;
  readonly frames: readonly Frame[];
  readonly secrets: readonly string[];
  readonly given: readonly string[];
}

/** Makes the texts of a class. Another seed chooses other templates, carriers and values. */
export function plantedTexts(from: SecretClass, seed: number): PlantedText[] {
  const random = new Random(seed * 1000 + hashOf(from.id));
  return random.sample(from.templates, from.count).map((template): PlantedText => {
    const { said, secrets, given = [] } = template(random);
    const frames = framesOf(said);
    const text = readable(frames.map(({ bytes }) => new TextDecoder().decode(bytes)));
    const forms = secrets.flatMap((secret) => written(secret).filter((form) => text.includes(form)));
    if (forms.length === 0) throw new Error(`A text of "${from.id}" lacks its secret: ${text}`);
    return { from, frames, secrets: [...new Set(forms)], given };
  });
}

/** Forms that templates write a value in. */
function written(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const pair = (user: string) => Buffer.from(`${user}:${secret}`).toString('base64');
  return [secret, encoded, encodeURIComponent(encoded), pair('admin'), pair('robot')];
}

function hashOf(text: string): number {
  return Array.from(text).reduce((hash, one) => (hash * 31 + one.charCodeAt(0)) % 1009, 7);
}

/** Returns texts, and the strings of the JSON in them, decoded. */
export function readable(texts: readonly string[]): string {
  const parts: string[] = [];
  const read = (text: string, depth: number) => {
    parts.push(text);
    const begin = text.search(/[{["]/);
    if (begin < 0 || depth > 5) return;
    try {
      JSON.parse(begin === 0 ? text : text.slice(begin), (_name, value: unknown) => {
        if (typeof value === 'string') read(value, depth + 1);
        return value;
      });
    } catch {
      // Not JSON.
    }
  };
  for (const text of texts) read(text, 0);
  return parts.join('\n');
}

/** Part of a secret that must not stay. */
const READABLE_PART = 2 / 3;
/** Characters of a part that is too short to be more than chance. */
const CHANCE_CHARS = 5;

/** Returns true if a secret, or most of it in one piece, can be read in what was shared. */
export function isLeaked({ secrets }: PlantedText, shared: readonly string[]): boolean {
  const text = readable(shared);
  return secrets.some((secret) => {
    const length = Math.max(Math.min(secret.length, CHANCE_CHARS), Math.ceil(secret.length * READABLE_PART));
    for (let at = 0; at + length <= secret.length; at++) if (text.includes(secret.slice(at, at + length))) return true;
    return false;
  });
}
