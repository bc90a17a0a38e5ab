import { resolve } from 'node:path';
import { formatBytes } from '@/lib/wire/format';
import { choiceOf } from '@/proxy/cli/choice';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import { writeErrorReason, writeReport } from '@/proxy/files/private-files';
import { requireWritable } from './report-files';

/** The forms of a result by name, with the ends of the names of their files. */
export type OutputForms = Readonly<Record<string, readonly string[]>>;

/** The form of a result, and where it goes: a file, or stdout. */
export interface OutputChoice {
  readonly format: string;
  readonly out: string | undefined;
}

/**
 * Reads `--format`, `--json` and `--out`. Without a format, the end of the file’s name says it, or else it is `usual`.
 * Throws an ExitError, also for a file that can’t be written.
 */
export function readOutputChoice(given: ParsedOptions, forms: OutputForms, usual: string | undefined): OutputChoice {
  const [out, named] = [lastValue(given, 'out'), lastValue(given, 'format')];
  const json = given.has('json') && Object.hasOwn(forms, 'json') ? 'json' : undefined;
  if (json && named !== undefined && named !== json)
    throw usageError(`Choose one of \`--json\` and \`--format ${named}\`.`);
  const byEnd = Object.keys(forms).find((form) => forms[form]!.some((end) => out?.endsWith(end)));
  const known = Object.keys(forms).join(', ');
  const format = named ?? json ?? byEnd ?? (out === undefined ? usual : undefined);
  if (format === undefined) throw usageError(`No format is named: add \`--format\` and one of ${known}.`);
  choiceOf('--format', format, Object.keys(forms));
  const ends = forms[format]!;
  if (out !== undefined && ends.length > 0 && !ends.some((end) => out.endsWith(end))) {
    throw usageError(`\`--format ${format}\` needs a file name that ends in \`${ends[0]}\`: \`${out.slice(0, 200)}\`.`);
  }
  // A URL is a receiver, not a file.
  if (out !== undefined && !/^https?:/i.test(out)) requireWritable(out, 'out');
  return { format, out };
}

/** Writes text to the file of `--out`, readable only by its owner, or to stdout. Throws an ExitError. */
export async function writeOutput(
  { out }: OutputChoice,
  text: string,
  { printText, printNote }: Pick<CommandContext, 'printText' | 'printNote'>,
): Promise<void> {
  if (out === undefined) {
    printText(text);
    return;
  }
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  await writeReport(resolve(out), whole).catch((error: unknown) => {
    throw usageError(`\`${out}\` can’t be written: ${writeErrorReason(error)}. Name another file after \`--out\`.`);
  });
  printNote(`mcp-inspect: Wrote ${resolve(out)}, ${formatBytes(Buffer.byteLength(whole))}.`);
}
