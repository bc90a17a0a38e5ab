import { PINS_FILE, type Pin, PinsError, readPins, targetOf } from '@/features/check/lib/pins/pins-file';
import { type AskServer, pinVariables } from '@/features/check/lib/pins/play-pins';
import { MOST_PINS_BYTES } from '@/features/check/proxy/pins/pins-on-disk';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { docsUrl } from '@/lib/wire/docs-url';
import { isFailure } from '@/lib/wire/lifecycle';
import { ExitError, usageError } from '@/proxy/cli/exit-code';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import { allowOnly, mayUse, requireAgreed } from '@/proxy/commands/shared/consent';
import { jsonLine } from '@/proxy/commands/shared/format-content';
import type { LocalFile } from '@/proxy/commands/shared/recording-files';
import { foundFile } from '@/proxy/files/decisions';
import { repositoryRoot } from '@/proxy/files/repository-folders';
import { readNamedFile } from '@/proxy/files/user-files';

const NO_PINS = `There are no pinned calls yet: \`${PINS_FILE}\` does not exist. To make it, run \`mcp-inspect test --add RECORDING > ${PINS_FILE}\`, or choose *Pin the call* on the page.`;

/** Reads a pins file, which must not lead out of the folder `within`. Throws an ExitError that names it. */
export async function readPinsFile(
  { path, shown: file }: LocalFile,
  within?: string,
): Promise<{ readonly text: string; readonly pins: readonly Pin[] }> {
  const { text, wrong } = await readNamedFile(path, { most: MOST_PINS_BYTES, within });
  if (text === undefined && wrong === undefined && file === PINS_FILE) throw usageError(NO_PINS);
  if (text === undefined) throw usageError(`\`${file}\` can’t be read. ${wrong ?? 'There is no such file.'}`);
  requireAgreed(path, file, text);
  try {
    return { text, pins: readPins(text) };
  } catch (error) {
    if (!(error instanceof PinsError)) throw error;
    throw usageError(`\`${file}\` can’t be used. ${error.message} ${docsUrl('pins')} describes the format.`);
  }
}

/**
 * Asks whether the calls of a pins file that nobody named may be sent. Resolves with the calls that were agreed to,
 * undefined if none were. Throws an ExitError for an unusable file.
 */
export async function agreedPins(file: LocalFile): Promise<readonly Pin[] | undefined> {
  const { text, pins } = await readPinsFile(file, repositoryRoot(process.cwd()));
  const variables = [...pinVariables(pins)].map((name) => `with the environment variable ${name}`);
  const calls = pins.map(({ method, params }) => [method, targetOf(params)].filter(Boolean).join(' '));
  if (!(await mayUse('calls', foundFile(file.path, text), [...variables, ...new Set(calls)]))) return undefined;
  allowOnly(file.path, text);
  return pins;
}

/** Sends requests, and takes secrets out of the answers, since these go into reports and into the file. */
export function askThrough(
  connection: Pick<ConnectedServer['connection'], 'request'>,
  redactor: CaptureRedactor,
  signal: AbortSignal,
): AskServer {
  const shown = (text: string): string => Buffer.from(redactor.apply({ bytes: Buffer.from(text) }).bytes).toString();
  return async (method, params) => {
    const from = performance.now();
    const took = () => performance.now() - from;
    try {
      const answer = await connection.request(method, params, undefined, signal);
      const text = answer.kind === 'result' ? answer.text : jsonLine(answer.error);
      return { answer: { kind: answer.kind, text: shown(text) }, ms: took() };
    } catch (error) {
      if (!isFailure(error) && !(error instanceof ExitError)) throw error;
      return { lost: isFailure(error) ? `${error.message} ${error.advice}` : error.message, ms: took() };
    }
  };
}
