import { isObject, type JsonObject, own } from '@/lib/json/value';

/** A value that a config asks the user for, as `${input:id}` in VS Code. */
export interface ConfigInput {
  readonly id: string;
  /** '' for none. */
  readonly description: string;
  readonly default?: string;
  /** Choices. Without them, any text is accepted. */
  readonly options?: readonly InputOption[];
  /**
   * Hidden while it is typed, and masked in recordings. True for passwords, and for inputs that the config does not
   * describe.
   */
  readonly secret: boolean;
  /** Editor command that would produce the value. Here the user must enter it. */
  readonly command?: string;
}

/** One choice. */
export interface InputOption {
  readonly value: string;
  readonly label: string;
}

/** The answer to a {@link ConfigInput}. */
export interface GivenInput {
  readonly id: string;
  readonly value: string;
  /** Masked in recordings. */
  readonly secret?: true;
}

/** Inputs of a config, and answers in a command. Real configs have a few. */
export const MOST_INPUTS = 200;
/** Choices of an input that are read. */
const MOST_OPTIONS = 1000;
/** Characters of a description that are shown: a few lines of a form. */
const DESCRIPTION_CHARS = 1000;

/** Reads the `inputs` of a config by id. Leaves out invalid ones, whose placeholders become undeclared inputs. */
export function readInputs(value: unknown): ReadonlyMap<string, ConfigInput> {
  const rows = Array.isArray(value) ? value.slice(0, MOST_INPUTS) : [];
  return new Map(rows.flatMap((row) => readInput(row) ?? []).map((input) => [input.id, input]));
}

/** Returns the input for a placeholder that the config does not describe. */
export function undeclaredInput(id: string): ConfigInput {
  return { id, description: '', secret: true };
}

function readInput(value: unknown): ConfigInput | undefined {
  const id = isObject(value) && own(value, 'id');
  if (!isObject(value) || typeof id !== 'string') return undefined;
  const described = own(value, 'description');
  const preset = own(value, 'default');
  const command = own(value, 'command');
  const options = own(value, 'type') === 'pickString' ? readOptions(own(value, 'options')) : [];
  const runs = own(value, 'type') === 'command';
  return {
    id,
    description: typeof described === 'string' ? described.slice(0, DESCRIPTION_CHARS) : '',
    ...(typeof preset === 'string' && { default: preset }),
    ...(options.length > 0 && { options }),
    secret: runs || own(value, 'password') === true,
    ...(runs && { command: typeof command === 'string' ? command.slice(0, DESCRIPTION_CHARS) : '' }),
  };
}

/** Reads choices, which VS Code accepts as strings and as objects with a label. */
function readOptions(value: unknown): readonly InputOption[] {
  const rows = Array.isArray(value) ? value.slice(0, MOST_OPTIONS) : [];
  return rows.flatMap((row) => {
    if (typeof row === 'string') return [{ value: row, label: row }];
    return isObject(row) ? labelled(row) : [];
  });
}

function labelled(row: JsonObject): readonly InputOption[] {
  const text = own(row, 'value');
  const label = own(row, 'label');
  return typeof text === 'string' ? [{ value: text, label: typeof label === 'string' ? label : text }] : [];
}

/** Typed answers by input id. */
export type Answers = ReadonlyMap<string, string>;

/** Returns the text in the field of an input: the typed text, the default, or the first choice. */
export function answerTo({ id, default: preset, options }: ConfigInput, answers: Answers): string {
  const typed = answers.get(id) ?? preset ?? '';
  return options?.every(({ value }) => value !== typed) ? options[0]!.value : typed;
}

/** Returns the answers that a form sends; undefined while any answer is empty. */
export function givenInputs(inputs: readonly ConfigInput[], answers: Answers): readonly GivenInput[] | undefined {
  const given = inputs.map((input): GivenInput => {
    const value = answerTo(input, answers);
    return { id: input.id, value, ...(input.secret && { secret: true }) };
  });
  return given.every(({ value }) => value !== '') ? given : undefined;
}

const INPUT = /\$\{input:([^{}$]+)\}/g;

/** Returns the ids of the inputs among `${…}` names. */
export function inputIds(placeholders: readonly string[]): readonly string[] {
  return placeholders.flatMap((name) => (name.startsWith('input:') ? [name.slice('input:'.length)] : []));
}

/** Replaces each answered `${input:id}`; others stay as written. Placeholders in an answer are not replaced. */
export function fillInputs(text: string, given: readonly GivenInput[] = []): string {
  if (given.length === 0) return text;
  return text.replace(INPUT, (whole, id: string) => given.find((one) => one.id === id)?.value ?? whole);
}

/** Returns the `${…}` names in `texts` that {@link fillInputs} replaces. */
export function filledInputs(texts: readonly string[], given: readonly GivenInput[] = []): readonly string[] {
  const named = texts.flatMap((text) => Array.from(text.matchAll(INPUT), (match) => match[1]!));
  return [...new Set(named)].filter((id) => given.some((one) => one.id === id)).map((id) => `input:${id}`);
}

/** Returns the answers to secret inputs. */
export function secretAnswers(given: readonly GivenInput[] = []): readonly string[] {
  return given.flatMap(({ value, secret }) => (secret ? [value] : []));
}
