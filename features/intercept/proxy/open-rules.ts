import { basename, dirname, resolve } from 'node:path';
import { OverlayError, readOverlay } from '@/features/intercept/lib/overlay-file';
import { readRulesFile } from '@/features/intercept/lib/rules-file';
import { parseBounded, withoutBom } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import type { AnswerFrom, RuleOwner, RuleSet } from '@/lib/mcp/message-interceptor';
import { CallIndex } from '@/lib/replay/server/call-index';
import type { RecordedCall } from '@/lib/replay/traffic/recorded-traffic';
import { PlaybackPosition } from '@/lib/replay/traffic/request-matching';
import { docsUrl } from '@/lib/wire/docs-url';
import { readNamedFile } from '@/proxy/files/user-files';
import { openErrorText } from '@/proxy/recorder/open-file';
import { readTrafficFile } from '@/proxy/recorder/read-traffic';

/** Bytes of the largest file of rules: each rule may hold one message. */
const RULES_BYTES = 64 * 1024 * 1024;

/** Why a file of rules can't be used, in sentences. */
export class RulesFileError extends Error {}

/**
 * Reads the files of `--intercept`: rules with the recordings that they answer from, and at most one overlay of tools.
 * The recordings stay open while the process runs. Rejects with a {@link RulesFileError}.
 */
export async function openInterceptFiles(paths: readonly string[]): Promise<readonly RuleSet[]> {
  const sets: RuleSet[] = [];
  for (const path of paths) sets.push(await openInterceptFile(path));
  if (sets.filter(({ overlay }) => overlay !== undefined).length <= 1) return sets;
  throw new RulesFileError('`--intercept` names two overlays: put the changes of all tools into one file.');
}

async function openInterceptFile(path: string): Promise<RuleSet> {
  const { text, wrong = 'It does not exist.' } = await readNamedFile(path, { most: RULES_BYTES });
  if (text === undefined) throw new RulesFileError(`Could not read \`${path}\`. ${wrong}`);
  if (isOverlay(text)) return overlayOf(path, text);
  const read = readRulesFile(text);
  if (typeof read === 'string') {
    throw new RulesFileError(`The rules in \`${path}\` can’t be used: ${read}. See ${docsUrl('intercept')}.`);
  }
  const calls = new Map<string, CallIndex>();
  for (const file of read.recordings) calls.set(file, await readCalls(path, file));
  const owner: RuleOwner = {
    file: basename(path),
    openAnswers: (file) => {
      const recorded = calls.get(file);
      return recorded && answersOf(recorded);
    },
  };
  return { owner, rules: read.rules };
}

/** Returns true for an object with `tools`. What is not JSON is refused as rules. */
function isOverlay(text: string): boolean {
  try {
    const parsed = parseBounded(withoutBom(text));
    return isObject(parsed) && own(parsed, 'tools') !== undefined && own(parsed, 'rules') === undefined;
  } catch {
    return false;
  }
}

function overlayOf(path: string, text: string): RuleSet {
  try {
    const overlaid = Object.keys(readOverlay(text).tools);
    return { owner: { file: basename(path) }, rules: [], overlay: text, overlaid };
  } catch (error) {
    if (!(error instanceof OverlayError)) throw error;
    throw new RulesFileError(`The overlay in \`${path}\` can’t be used. ${error.message} ${error.advice}`);
  }
}

async function readCalls(rules: string, file: string): Promise<CallIndex> {
  try {
    const { traffic } = await readTrafficFile(resolve(dirname(rules), file));
    return new CallIndex(traffic);
  } catch (error) {
    const why = openErrorText(error, `that \`${rules}\` names`);
    throw new RulesFileError(`The recording \`${file}\` can’t be opened. ${why}`);
  }
}

/** Begins to answer as a recording did. Equal requests get its answers in order, then the last one again. */
function answersOf(calls: CallIndex): AnswerFrom {
  const position = new PlaybackPosition<RecordedCall>();
  return (method, params) => {
    const found = calls.find(method, params);
    const answer = found && position.next(found.calls).item.answer;
    if (!answer) return undefined;
    return answer.kind === 'result' ? { result: answer.text } : { error: answer.text };
  };
}
