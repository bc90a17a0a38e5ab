// @ts-check
import { embedded, image, text } from './content.mjs';
import { contentInVersion, inVersion } from './eras.mjs';
import { invalidParams } from './errors.mjs';
import { nightPicture } from './pictures.mjs';
import { entryMarkdown, KEEPERS } from './station.mjs';

/** @typedef {import('./eras.mjs').JsonObject} JsonObject */
/** @typedef {import('./station.mjs').Station} Station */
/** @typedef {{ [name: string]: string }} Values */
/**
 * @typedef {object} Argument
 * @property {string} name
 * @property {string} [title]
 * @property {string} description
 * @property {boolean} [required]
 * @property {(given: Values) => readonly string[]} [suggest] By what the other arguments are.
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
/** Ports by sea: the suggestions for one argument depend on another. */
const PORTS = new Map([
  ['Minch', ['Stornoway', 'Ullapool']],
  ['North Sea', ['Aberdeen', 'Bergen', 'Lerwick']],
  ['Sea of the Hebrides', ['Mallaig', 'Oban']],
]);

/** @type {readonly Prompt[]} */
export const PROMPTS = [
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
    description: 'A required argument, and an optional one.',
    arguments: [
      { name: 'ship', title: 'Ship', description: 'Which one.', required: true, suggest: () => SHIPS },
      { name: 'language', title: 'Language', description: 'English, if left out.', suggest: () => LANGUAGES },
    ],
    messages: ({ ship, language = 'English' }) => [
      user(
        text(
          `Hail the ship "${ship}" over the radio in ${language}: who we are, where we are, and what the weather does.`,
        ),
      ),
    ],
  },
  {
    name: 'choose_port',
    title: 'Choose a port',
    description: 'Suggests ports of the sea you chose first.',
    arguments: [
      { name: 'sea', description: 'Where to sail.', required: true, suggest: () => [...PORTS.keys()] },
      {
        name: 'port',
        description: 'Where to land.',
        required: true,
        suggest: ({ sea }) => PORTS.get(sea ?? '') ?? [...PORTS.values()].flat(),
      },
    ],
    messages: ({ sea, port }) => [user(text(`Describe the approach to ${port} from the ${sea}.`))],
  },
  {
    name: 'brief_new_keeper',
    title: 'Brief a new keeper',
    description: 'A conversation: two roles, a picture and an embedded resource.',
    arguments: [{ name: 'keeper', description: 'Who is new.', required: true, suggest: () => KEEPERS }],
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
