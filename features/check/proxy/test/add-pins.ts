import { MOST_PINS, type WrittenPin, writePins } from '@/features/check/lib/pins/pins-file';
import { MOST_PINS_BYTES } from '@/features/check/proxy/pins/pins-on-disk';
import { comparedCalls } from '@/lib/replay/compare/call-diff';
import { paramsToSend } from '@/lib/replay/compare/recorded-client';
import { countOf, formatBytes, formatCount } from '@/lib/wire/format';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { chosenFileAccess } from '@/proxy/commands/shared/file-access';
import { openTrafficIn } from '@/proxy/commands/shared/open-traffic';
import { localFiles } from '@/proxy/commands/shared/recording-files';
import { damageSentences } from '@/proxy/recorder/read-traffic';

/** The advice if there is too much for a pins file. */
const PART = 'Pin a part: `mcp-inspect share FILE --frames A-B --out PART.mcpr.jsonl`.';

/** Prints a pins file with the calls of recordings and their answers. Rejects with an ExitError. */
export async function addPins(context: CommandContext): Promise<ExitCode> {
  const { request, printText, printNote } = context;
  if (request.words.length === 0) throw usageError('`--add` needs a recording: write `test --add RECORDING…`.');
  const pins: WrittenPin[] = [];
  let chars = 0;
  for (const local of await localFiles(request.words, chosenFileAccess(context))) {
    const file = local.shown;
    const opened = await openTrafficIn(local, 'after `--add`');
    for (const sentence of damageSentences(opened)) printNote(`${file}: ${sentence}`);
    for (const { method, params, answer, continues } of comparedCalls(opened.traffic)) {
      // The engine answers `input_required` by itself.
      if (continues !== undefined) continue;
      if (pins.length === MOST_PINS)
        throw usageError(`${file}: A pins file holds ${formatCount(MOST_PINS)} calls. ${PART}`);
      const pin = {
        method,
        params: params && paramsToSend(params),
        accepted: answer && { kind: answer.kind, text: answer.text },
      };
      chars += (pin.params?.length ?? 0) + (pin.accepted?.text.length ?? 0);
      if (chars > MOST_PINS_BYTES)
        throw usageError(`${file}: A pins file holds ${formatBytes(MOST_PINS_BYTES)} of calls and answers. ${PART}`);
      pins.push(pin);
    }
    await opened.close();
  }
  if (pins.length === 0)
    throw usageError('There is no call to pin: record one with `mcp-inspect call … --record FILE`.');
  printText(writePins(pins).trimEnd());
  printNote(`mcp-inspect: ${countOf(pins.length, 'call')} pinned, with the recorded answers.`);
  return EXIT.fine;
}
