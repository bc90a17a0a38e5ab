import type { DialectLoss } from '@/features/chat/lib/chat-frame';
import type { ModelRequest } from '@/features/chat/lib/model';
import { jsonIn } from '@/lib/json/parse';
import { isObject } from '@/lib/json/value';
import { at, type DialectAdapter } from './dialects/dialect';

/** Losses that are listed for one tool. A schema of a very different form has more, and nobody reads them all. */
const MOST_PER_TOOL = 20;
/** Levels of a schema that are compared. */
const MOST_LEVELS = 64;
/** Characters of a value in a message. */
const SHOWN_CHARS = 60;

/** Compares a request with the body that the dialect made of it. Returns what is missing or different there. */
export function lossesIn(body: string, { tools, temperature }: ModelRequest, dialect: DialectAdapter): DialectLoss[] {
  const parsed = jsonIn(body);
  const losses: DialectLoss[] = [];
  if (temperature !== undefined && at(parsed, ...dialect.settings.temperature) !== temperature) {
    losses.push({ message: `The temperature ${temperature} is not sent as it is: this model does not take it.` });
  }
  const sent = new Map(dialect.sentTools(parsed).map(({ name, schema }) => [name, schema]));
  for (const { name, inputSchema } of tools) {
    if (sent.has(name)) losses.push(...schemaLosses(name, inputSchema, sent.get(name)));
    else losses.push({ tool: name, message: 'The tool is not offered: the request has no tool of this name.' });
  }
  return losses;
}

function schemaLosses(tool: string, given: unknown, sent: unknown): DialectLoss[] {
  const losses: DialectLoss[] = [];
  for (const loss of differences(given, sent, '', 0)) {
    if (losses.length === MOST_PER_TOOL) {
      losses.push({ tool, message: `More than ${MOST_PER_TOOL} other places of this schema differ.` });
      break;
    }
    losses.push({ tool, ...loss });
  }
  return losses;
}

/** Yields each place at which a sent value differs from the given one. A place inside a missing one is not named. */
function* differences(given: unknown, sent: unknown, path: string, level: number): Generator<DialectLoss> {
  if (level > MOST_LEVELS) return;
  const both = isObject(given) && isObject(sent);
  if (both || (Array.isArray(given) && Array.isArray(sent))) {
    const [before, after] = [new Map(Object.entries(given)), new Map(Object.entries(sent))];
    for (const [key, value] of before) {
      const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!after.has(key)) yield { path: place, message: `Not sent: ${shown(value)}` };
      else yield* differences(value, after.get(key), place, level + 1);
    }
    for (const [key, value] of after) {
      const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!before.has(key)) yield { path: place, message: `Added: ${shown(value)}` };
    }
  } else if (sent === undefined) yield { path, message: `Not sent: ${shown(given)}` };
  else if (JSON.stringify(given) !== JSON.stringify(sent)) {
    yield { path, message: `${shown(given)} became ${shown(sent)}` };
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
