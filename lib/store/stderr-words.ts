import { withoutAnsi } from '@/lib/wire/ansi';
import { LIMITS } from '@/lib/wire/limits';
import { decodeLossy } from './classify';
import { membersOf, memberText } from './json-members';
import { previewLine, previewText } from './preview';

/** Members that loggers write their level, their name and their message under: pino, bunyan, winston, zap, structlog, Serilog, Python. */
const LEVEL = ['level', 'severity', 'levelname', 'lvl', '@l'];
const LOGGER = ['logger', 'name', 'module'];
const MESSAGE = ['msg', 'message', 'event', '@m', '@mt'];

/** Levels as pino and bunyan number them. */
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['10', 'trace'],
  ['20', 'debug'],
  ['30', 'info'],
  ['40', 'warn'],
  ['50', 'error'],
  ['60', 'fatal'],
]);

/** What a line on stderr says in a row: of a logger's JSON level, logger and message, `info http: listening`; else its text. */
export function stderrWords(bytes: Uint8Array): string {
  return loggedWords(bytes) ?? previewText(bytes);
}

function loggedWords(bytes: Uint8Array): string | undefined {
  const line = withoutAnsi(decodeLossy(bytes.subarray(0, LIMITS.loggedBytes))).trimStart();
  if (!line.startsWith('{')) return undefined;
  const members = membersOf(line);
  const first = (names: readonly string[]) => memberText(members.get(names.find((name) => members.has(name)) ?? ''));
  const message = first(MESSAGE);
  if (message === undefined) return undefined;
  const level = first(LEVEL);
  const head = [NUMBERED.get(level ?? '') ?? level, first(LOGGER)].filter(Boolean).join(' ');
  return previewLine(withoutAnsi(head === '' ? message : `${head}: ${message}`));
}
