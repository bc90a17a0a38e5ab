import { FEATURES } from '@/features/features';
import { usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { fileAccess } from '@/proxy/commands/shared/file-access';
import { recordingFiles } from '@/proxy/commands/shared/recording-files';
import { type OutputChoice, type OutputForms, readOutputChoice } from '../shared/output-options';
import { exitingOnInterrupt } from '../shared/until-interrupted';
import type { ExportForm } from './masked-copies';

const OF_FEATURES = FEATURES.flatMap(({ exportForms = [] }) => exportForms);
/** Types of results, by the ends of file names. */
const TYPES: OutputForms = { schema: ['.json'], typescript: ['.ts'], zod: ['.ts'], pydantic: ['.py'] };

/** All forms in which recordings are exported. */
const FORMS: OutputForms = { otlp: [], ...Object.fromEntries(OF_FEATURES.map(({ name }) => [name, []])), ...TYPES };

/** Exports recordings for other tools, with their secrets masked. */
export const run: RunCommand = (context) =>
  exitingOnInterrupt(context, async () => {
    const { given, words } = context.request;
    const output = readOutputChoice(given, FORMS, undefined);
    const form = await formOf(output, context);
    const files = await recordingFiles(words, fileAccess(context));
    const { exportMasked } = await import('./masked-copies');
    return exportMasked(files, form, { ...context, policy: lastValue(given, 'policy') });
  });

/** Options that only types have. */
const ONLY_TYPES = ['tool', 'json'];

/** Loads a form, and checks its options. Throws an ExitError. */
async function formOf(output: OutputChoice, context: CommandContext): Promise<ExportForm> {
  const { format } = output;
  const wrong = format in TYPES ? undefined : ONLY_TYPES.find((name) => context.request.given.has(name));
  if (wrong !== undefined)
    throw usageError(`\`--${wrong}\` does not go with \`--format ${format}\`: remove one of them.`);
  if (format === 'otlp') return (await import('./otlp')).otlpForm(output, context);
  const form = OF_FEATURES.find(({ name }) => name === format);
  if (form) return (await form.load()).exportForm(output, context);
  return (await import('./types')).typesForm(output, context);
}
