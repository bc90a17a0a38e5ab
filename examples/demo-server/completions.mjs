// @ts-check
import { invalidParams } from './errors.mjs';
import { PROMPTS } from './prompts.mjs';
import { TEMPLATES } from './templates.mjs';

/** @typedef {import('./eras.mjs').JsonObject} JsonObject */

/** The protocol's limit. */
const MOST_VALUES = 100;

/**
 * Suggestions for an argument of a prompt or a variable of a template: those that begin with what is there already.
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
  const fitting = all.filter((value) => value.toLowerCase().startsWith(typed));
  return {
    completion: {
      values: fitting.slice(0, MOST_VALUES),
      total: fitting.length,
      hasMore: fitting.length > MOST_VALUES,
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
