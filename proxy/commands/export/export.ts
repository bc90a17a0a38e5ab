import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { recordingFiles } from '@/proxy/commands/shared/recording-files';
import { fileAccess } from '../shared/bucket-options';
import { type Output, type OutputForms, readOutput } from '../shared/output-options';
import { exitingOnInterrupt } from '../shared/until-interrupted';
import type { ExportForm } from './masked-copies';

/** The forms in which recordings are exported, by the ends of file names. */
const FORMS: OutputForms = {
  ...{ otlp: [], parquet: [], schema: ['.json'], typescript: ['.ts'], zod: ['.ts'], pydantic: ['.py'] },
};

/** Exports recordings for other tools, with their secrets masked. */
export const run: RunCommand = (context) =>
  exitingOnInterrupt(context, async () => {
    const { given, words } = context.request;
    const output = readOutput(given, FORMS, undefined);
    const form = await formOf(output, context);
    const files = await recordingFiles(words, fileAccess(context));
    const { exportMasked } = await import('./masked-copies');
    return exportMasked(files, form, { ...context, policy: lastValue(given, 'policy') });
  });

/** Options that only some forms have. */
const ONLY: Readonly<Record<string, (format: string) => boolean>> = {
  tool: (format) => !['otlp', 'parquet'].includes(format),
  json: (format) => !['otlp', 'parquet'].includes(format),
};

/** Loads a form, and checks its options. Throws an ExitError. */
async function formOf(output: Output, context: CommandContext): Promise<ExportForm> {
  const { format } = output;
  const wrong = Object.keys(ONLY).find((name) => context.request.given.has(name) && !ONLY[name]!(format));
  if (wrong !== undefined)
    throw usageError(`\`--${wrong}\` does not go with \`--format ${format}\`: remove one of them.`);
  if (format === 'otlp') return (await import('./otlp')).otlpForm(output, context);
  if (format === 'parquet') return (await import('@/features/team/proxy/query/parquet')).parquetForm(output, context);
  return (await import('./types')).typesForm(output, context);
}
