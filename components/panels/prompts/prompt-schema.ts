import { isObject, type JsonObject, own } from '@/lib/wire/message';

/** A schema whose fields are a prompt's arguments, which are strings by the specification. */
export function promptSchema(prompt: JsonObject): object {
  const declared = own(prompt, 'arguments');
  const named = (Array.isArray(declared) ? declared : []).flatMap((argument) => {
    const name = isObject(argument) ? own(argument, 'name') : undefined;
    return isObject(argument) && typeof name === 'string' ? [{ name, argument }] : [];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, argument }) => [
        name,
        { type: 'string', title: own(argument, 'title'), description: own(argument, 'description') },
      ]),
    ),
    required: named.filter(({ argument }) => own(argument, 'required') === true).map(({ name }) => name),
  };
}
