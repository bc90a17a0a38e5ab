// @ts-check
import { embedded, image, nightPicture, text } from './content.mjs';
import { contentInVersion, inVersion, invalidParams } from './protocol.mjs';
import { TEMPLATES } from './resources.mjs';
import { entryMarkdown, KEEPERS } from './station.mjs';

/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */
/** @typedef {import('./station.mjs').Station} Station */
/** @typedef {{ [name: string]: string }} Values */
/**
 * @typedef {object} Argument
 * @property {string} name
 * @property {string} [title]
 * @property {string} description
 * @property {boolean} [required]
 * @property {(given: Values) => readonly string[]} [suggest] Returns completions, given the other arguments.
 */
/**
 * @typedef {object} Prompt
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {readonly Argument[]} [arguments]
 * @property {(args: Values, station: Station) => { role: 'user' | 'assistant', content: JsonObject }[]} messages
 */

const SHIPS = ['Arctic Tern', 'Northern Wren', 'Ocean Petrel', 'Saint Columba', 'Solan Goose'];
const LANGUAGES = ['English', 'Faroese', 'Gaelic', 'Norwegian', 'Scots'];
/** Ports by sea, so that the suggestions for one argument depend on another. */
const PORTS = new Map([
  ['Minch', ['Stornoway', 'Ullapool']],
  ['North Sea', ['Aberdeen', 'Bergen', 'Lerwick']],
  ['Sea of the Hebrides', ['Mallaig', 'Oban']],
]);

/** @type {readonly Prompt[]} */
const PROMPTS = [
  {
    name: 'evening_report',
    title: 'Evening report',
    description: 'Takes no arguments.',
    messages: (_args, { entries, lamp }) => [
      user(
        text(
          `Write the evening report of a lighthouse in three sentences. The lamp is ${lamp.lit ? 'lit' : 'out'}, and the log has ${entries.length} entries.`,
        ),
      ),
    ],
  },
  {
    name: 'hail_ship',
    title: 'Hail a ship',
    description: 'One required argument and one optional argument.',
    arguments: [
      { name: 'ship', title: 'Ship', description: 'Name of the ship.', required: true, suggest: () => SHIPS },
      { name: 'language', title: 'Language', description: 'Defaults to English.', suggest: () => LANGUAGES },
    ],
    messages: ({ ship, language = 'English' }) => [
      user(
        text(
          `Hail the ship "${ship}" over the radio in ${language}: say who we are, where we are, and how the weather is.`,
        ),
      ),
    ],
  },
  {
    name: 'choose_port',
    title: 'Choose a port',
    description: 'Suggests ports of the chosen sea.',
    arguments: [
      { name: 'sea', description: 'The sea to sail.', required: true, suggest: () => [...PORTS.keys()] },
      {
        name: 'port',
        description: 'The port to land at.',
        required: true,
        suggest: ({ sea }) => PORTS.get(sea ?? '') ?? [...PORTS.values()].flat(),
      },
    ],
    messages: ({ sea, port }) => [user(text(`Describe the approach to ${port} from the ${sea}.`))],
  },
  {
    name: 'brief_new_keeper',
    title: 'Brief a new keeper',
    description: 'A conversation with two roles, a picture and an embedded resource.',
    arguments: [{ name: 'keeper', description: 'The new keeper.', required: true, suggest: () => KEEPERS }],
    messages: ({ keeper }, { entries, lamp }) => [
      user(text(`${keeper} starts tonight and has never seen the light.`)),
      user(image(nightPicture({ width: 240, height: 160, lit: lamp.lit, bearing: -12 }))),
      { role: 'assistant', content: text('Understood. What should they have read?') },
      user(
        embedded({
          uri: 'light://logbook',
          mimeType: 'text/markdown',
          text: entries.slice(-2).map(entryMarkdown).join('\n'),
        }),
      ),
    ],
  },
];

/** @param {string} version */
export function listPrompts(version) {
  return PROMPTS.map(({ messages, ...prompt }) => ({
    ...inVersion('prompt', prompt, version),
    ...(prompt.arguments
      ? { arguments: prompt.arguments.map(({ suggest, ...argument }) => inVersion('argument', argument, version)) }
      : {}),
  }));
}

/**
 * @param {JsonObject} params
 * @param {Station} station
 * @param {string} version
 * @returns {JsonObject}
 */
export function getPrompt(params, station, version) {
  const prompt = PROMPTS.find(({ name }) => name === params.name);
  if (prompt === undefined) throw invalidParams(`Unknown prompt: ${params.name}`);
  const given = /** @type {Values} */ (params.arguments ?? {});
  for (const { name, required } of prompt.arguments ?? []) {
    if (required && given[name] === undefined) throw invalidParams(`Missing argument: ${name}`);
    if (given[name] !== undefined && typeof given[name] !== 'string') throw invalidParams(`${name} must be a string`);
  }
  const messages = prompt.messages(given, station);
  return {
    description: prompt.description,
    messages: messages.map(({ role, content }) => ({ role, content: contentInVersion(content, version) })),
  };
}

/** @param {JsonObject} content @returns {{ role: 'user', content: JsonObject }} */
const user = (content) => ({ role: 'user', content });

/** The protocol's limit for one completion result. */
const MOST_VALUES = 100;

/**
 * Completes an argument of a prompt or a variable of a template: returns the suggestions that start with its value.
 *
 * @param {JsonObject} params
 * @param {import('./station.mjs').Station} station
 * @returns {JsonObject}
 */
export function complete(params, station) {
  const { ref, argument, context } = /** @type {any} */ (params);
  if (typeof argument?.name !== 'string' || typeof argument.value !== 'string') {
    throw invalidParams('argument must have a name and a value');
  }
  const all = suggestions(ref, argument.name, context?.arguments ?? {}, station);
  const typed = argument.value.toLowerCase();
  const matching = all.filter((value) => value.toLowerCase().startsWith(typed));
  return {
    completion: {
      values: matching.slice(0, MOST_VALUES),
      total: matching.length,
      hasMore: matching.length > MOST_VALUES,
    },
  };
}

/**
 * @param {any} ref
 * @param {string} name
 * @param {{ [name: string]: string }} given
 * @param {import('./station.mjs').Station} station
 * @returns {readonly string[]}
 */
function suggestions(ref, name, given, station) {
  if (ref?.type === 'ref/prompt') {
    const prompt = PROMPTS.find((one) => one.name === ref.name);
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${ref.name}`);
    return prompt.arguments?.find((one) => one.name === name)?.suggest?.(given) ?? [];
  }
  if (ref?.type === 'ref/resource') {
    const template = TEMPLATES.find((one) => one.uriTemplate === ref.uri);
    if (template === undefined) throw invalidParams(`Unknown template: ${ref.uri}`);
    return Object.hasOwn(template.variables, name) ? (template.variables[name]?.(station) ?? []) : [];
  }
  throw invalidParams('ref must be a ref/prompt or a ref/resource');
}
