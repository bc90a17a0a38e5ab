import type { ConfigInput, GivenInput, InputOption } from '@/lib/wire/config-inputs';
import { usage } from '../cli/exit-code';

/** How a person is asked. */
export interface Asking {
  /** Resolves with the typed line; undefined once nothing more can be typed. Absent: nobody is there to ask. */
  readonly ask: ((question: string, hidden: boolean) => Promise<string | undefined>) | undefined;
  /** Writes a line for people. */
  note(line: string): void;
}

/**
 * Answers what a config asks for: by a person at the terminal or, where nobody can be asked, by the defaults of the
 * config. Throws Stop if there is neither.
 */
export async function askInputs(inputs: readonly ConfigInput[], asking: Asking): Promise<readonly GivenInput[]> {
  const given: GivenInput[] = [];
  const unanswered = asking.ask ? [] : inputs.filter((input) => input.default === undefined);
  if (unanswered.length > 0) throw missing(unanswered.map(({ id }) => id));
  for (const input of inputs) {
    const value = asking.ask ? await answerOf(input, asking, asking.ask) : defaultOf(input, asking);
    given.push({ id: input.id, value, ...(input.secret && { secret: true }) });
  }
  return given;
}

function defaultOf({ id, default: preset = '', secret }: ConfigInput, { note }: Asking): string {
  note(
    `mcp-inspect: \`${id}\` is ${secret ? 'its default' : `\`${preset}\`, its default`}. Change it with \`--input ${id}=VALUE\`.`,
  );
  return preset;
}

function missing(ids: readonly string[]): Error {
  const names = ids.map((id) => `\`${id}\``).join(', ');
  const options = ids.map((id) => `--input ${id}=VALUE`).join(' ');
  return usage(`The config asks for ${names}, and no terminal can answer. Add \`${options}\`.`);
}

async function answerOf(input: ConfigInput, { note }: Asking, ask: NonNullable<Asking['ask']>): Promise<string> {
  const { id, description, default: preset, options, secret, command } = input;
  if (command !== undefined) {
    note(`\`${id}\` is the result of the editor’s command \`${command}\`, which can’t run here. Type the value.`);
  }
  if (description !== '') note(description);
  options?.forEach(({ label, value }, index) => {
    note(`  ${index + 1}  ${label}${label === value ? '' : ` (${value})`}`);
  });
  const shownDefault = preset === undefined ? '' : ` [${secret ? 'default' : preset}]`;
  for (;;) {
    const line = await ask(`${id}${shownDefault}: `, secret);
    if (line === undefined) throw missing([id]);
    const value = line === '' ? preset : options ? chosen(line, options) : line;
    if (value !== undefined) return value;
    note(
      options
        ? 'Type a number or a value of the list.'
        : `Type a value, or end with Ctrl-C. \`--input ${id}=\` gives an empty one.`,
    );
  }
}

/** By its number, else by its value. */
function chosen(line: string, options: readonly InputOption[]): string | undefined {
  const numbered = /^\d+$/.test(line) ? options[Number(line) - 1] : undefined;
  return (options.find(({ value }) => value === line) ?? numbered)?.value;
}
