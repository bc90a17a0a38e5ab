import { canonicalOf, lastMembers } from '@/lib/session/canonical-json';
import type { JsonSource } from '@/lib/wire/json-source';
import { fitsRedacted, isAnything } from './redacted';

/** A place where two values differ: JSON texts, undefined where there is none. */
export interface Difference {
  /** `arguments.message`, `items[2]`, `["odd name"]`; '' for the whole. */
  readonly path: string;
  readonly recorded: string | undefined;
  readonly asked: string | undefined;
}

/** Where `asked` differs from what was recorded, in the order of the recording. What was taken out there equals anything. */
export function* differences(
  recorded: JsonSource | undefined,
  asked: JsonSource | undefined,
  path = '',
): Generator<Difference> {
  if (recorded === undefined || asked === undefined) {
    if (recorded !== asked) yield { path, recorded: recorded?.text, asked: asked?.text };
  } else if (recorded.kind === 'string' && isAnything(recorded.value as string)) {
    return;
  } else if (recorded.kind !== asked.kind) {
    yield { path, recorded: recorded.text, asked: asked.text };
  } else if (recorded.kind === 'object') {
    const [theirs, ours] = [lastMembers(recorded), lastMembers(asked)];
    for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
      yield* differences(theirs.get(name), ours.get(name), below(path, name));
    }
  } else if (recorded.kind === 'array') {
    const [theirs, ours] = [itemsOf(recorded), itemsOf(asked)];
    for (let index = 0; index < Math.max(theirs.length, ours.length); index++) {
      yield* differences(theirs[index]?.source, ours[index]?.source, `${path}[${index}]`);
    }
  } else if (!equal(recorded, asked)) {
    yield { path, recorded: recorded.text, asked: asked.text };
  }
}

function itemsOf(source: JsonSource) {
  return source.children(Number.POSITIVE_INFINITY).children;
}

function equal(recorded: JsonSource, asked: JsonSource): boolean {
  return recorded.kind === 'string'
    ? fitsRedacted(recorded.value as string, asked.value as string)
    : canonicalOf(recorded) === canonicalOf(asked);
}

function below(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
