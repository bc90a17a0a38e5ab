import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { FaultPath } from '@/lib/protocol/checks';
import type { SeenMessage } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';
import { type InputRequest, inputRequestsIn } from './input-requests';

const ELICITATION = 'elicitation/create';

/** Returns the elicitation requests in a message of either era. */
function elicitationsIn(seen: SeenMessage): readonly InputRequest[] {
  const asked =
    seen.kind === 'request' ? [{ method: seen.method, params: seen.params, path: [] }] : inputRequestsIn(seen);
  return asked.filter(({ method }) => method === ELICITATION);
}

/** Something in a form that no answer can follow, or that contradicts the rest. */
interface FormFault {
  readonly message: string;
  readonly path: FaultPath;
}

/** A lower and an upper bound. */
const BOUNDS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
] as const;

function* formFaults(schema: JsonObject): Generator<FormFault> {
  const properties = own(schema, 'properties');
  if (!isObject(properties)) return;
  const required = own(schema, 'required');
  for (const [index, name] of Array.isArray(required) ? required.entries() : []) {
    if (typeof name === 'string' && !Object.hasOwn(properties, name))
      yield { message: `${quote(name)} is required, but not in properties.`, path: ['required', index] };
  }
  for (const [name, field] of Object.entries(properties)) {
    if (!isObject(field)) continue;
    for (const { message, path } of fieldFaults(field))
      yield { message: `${quote(name)}: ${message}`, path: ['properties', name, ...path] };
  }
}

function* fieldFaults(field: JsonObject): Generator<FormFault> {
  for (const [least, most] of BOUNDS) {
    const [low, high] = [own(field, least), own(field, most)];
    if (typeof low === 'number' && typeof high === 'number' && low > high)
      yield { message: `${least} is ${low}, but ${most} is ${high}.`, path: [least] };
  }
  const choices = choicesOf(field);
  if (choices?.length === 0) yield { message: 'there is nothing to choose.', path: [] };
  const names = own(field, 'enumNames');
  if (choices && Array.isArray(names) && names.length !== choices.length)
    yield {
      message: `${countOf(choices, 'value')} ${choices.length === 1 ? 'has' : 'have'} ${countOf(names, 'name')}.`,
      path: ['enumNames'],
    };
  const twice = choices?.find((value, index) => choices.indexOf(value) < index);
  if (twice !== undefined) yield { message: `${quote(twice)} can be chosen twice.`, path: [] };
  const fault = Object.hasOwn(field, 'default') ? defaultFault(field, choices) : undefined;
  if (fault !== undefined)
    yield { message: `the default is ${quote(field.default)}, which ${fault}.`, path: ['default'] };
}

function countOf(items: readonly unknown[], noun: string): string {
  return `${items.length} ${noun}${items.length === 1 ? '' : 's'}`;
}

/** Returns the values that a field offers; undefined if it offers none. */
function choicesOf(field: JsonObject): readonly unknown[] | undefined {
  const items = own(field, 'items');
  const holder = isObject(items) ? items : field;
  const values = own(holder, 'enum');
  if (Array.isArray(values)) return values;
  const titled = own(holder, 'oneOf') ?? own(holder, 'anyOf');
  return Array.isArray(titled) ? titled.map((each) => (isObject(each) ? own(each, 'const') : each)) : undefined;
}

/** Says why a default is an invalid answer. Values of another type are reported by the rules about fields. */
function defaultFault(field: JsonObject, choices: readonly unknown[] | undefined): string | undefined {
  const value = own(field, 'default');
  const bound = (name: string) => {
    const limit = own(field, name);
    return typeof limit === 'number' ? limit : undefined;
  };
  if (typeof value === 'number') {
    if (own(field, 'type') === 'integer' && !Number.isInteger(value)) return 'is not an integer';
    return boundFault(value, bound('minimum'), bound('maximum'));
  }
  if (typeof value === 'string') {
    if (choices) return choices.includes(value) ? undefined : 'cannot be chosen';
    return boundFault([...value].length, bound('minLength'), bound('maxLength'));
  }
  if (!Array.isArray(value)) return undefined;
  if (choices && value.some((each) => !choices.includes(each))) return 'cannot be chosen';
  return boundFault(value.length, bound('minItems'), bound('maxItems'));
}

function boundFault(size: number, least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && size < least) return 'is below the minimum';
  return most !== undefined && size > most ? 'is above the maximum' : undefined;
}

/** Returns the answers to elicitation requests in a message, and the paths of these. */
function* answersIn(
  seen: SeenMessage,
): Generator<{ answer: JsonObject; asked: JsonObject | undefined; path: FaultPath }> {
  const { kind, direction, request, body, params } = seen;
  if (direction !== 'to-server') return;
  const result = kind === 'response' && request?.method === ELICITATION ? own(body, 'result') : undefined;
  if (isObject(result)) yield { answer: result, asked: request!.params, path: ['result'] };
  const responses = kind === 'request' ? own(params, 'inputResponses') : undefined;
  for (const [key, answer] of isObject(responses) ? Object.entries(responses) : []) {
    if (isObject(answer) && typeof own(answer, 'action') === 'string')
      yield { answer, asked: undefined, path: ['params', 'inputResponses', key] };
  }
}

/** Rules about forms that a server asks a person to fill in, and their answers. */
export const FORM_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'form-contradiction',
      kinds: ['request', 'response'],
      severity: 'warning',
      title: 'Form that contradicts itself',
      topic: 'forms',
      advice: 'Change the schema so that its default, and an answer to every required field, are valid.',
    },
    (seen, _state, report) => {
      for (const { params, path } of elicitationsIn(seen)) {
        const schema = own(params, 'requestedSchema');
        for (const fault of isObject(schema) ? formFaults(schema) : [])
          report({ message: fault.message, path: [...path, 'params', 'requestedSchema', ...fault.path] });
      }
    },
  ),
  messageRule(
    {
      id: 'form-answer',
      kinds: ['request', 'response'],
      severity: 'warning',
      title: 'Answer whose content does not fit its action',
      topic: 'elicitation',
      advice: 'Send content only with the action accept, and only for a form.',
    },
    (seen, _state, report) => {
      for (const { answer, asked, path } of answersIn(seen)) {
        const action = own(answer, 'action');
        const isUrl = asked !== undefined && own(asked, 'mode') === 'url';
        const hasContent = own(answer, 'content') !== undefined;
        if (hasContent && (action !== 'accept' || isUrl)) {
          report({
            message: `The action is ${quote(action)}${isUrl ? ' for a URL' : ''}, but content is set.`,
            path: [...path, 'content'],
          });
        }
        const schema = asked && own(asked, 'requestedSchema');
        const required = isObject(schema) ? own(schema, 'required') : undefined;
        if (hasContent || action !== 'accept' || !Array.isArray(required) || required.length === 0) continue;
        report({ message: `The form requires ${quote(required)}, but content is missing.`, path });
      }
    },
  ),
];
