import { isObject, type JsonObject, own } from '@/lib/json/value';
import { isSecretName } from './secret-names';

/** Returns true if a form of the server asks for a secret: by its message, or by a field. */
export function asksForSecret(params: unknown): boolean {
  if (!isObject(params)) return false;
  return isSecretField('', own(params, 'requestedSchema')) || namesSecret(own(params, 'message'));
}

/**
 * Returns the texts of a result of `elicitation/create` that fill in fields for secrets. If no field looks like one but
 * the message asks for a secret, these are all texts except choices.
 */
export function secretAnswers(params: unknown, result: string): readonly string[] {
  if (!asksForSecret(params)) return [];
  const answer: unknown = JSON.parse(result);
  const content = isObject(answer) ? own(answer, 'content') : undefined;
  if (!isObject(content)) return [];
  const schema = own(params as JsonObject, 'requestedSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const fields = Object.entries(content).flatMap(([name, value]) => {
    const property = isObject(properties) ? own(properties, name) : undefined;
    return typeof value === 'string' ? [{ value, property, isSecret: isSecretField(name, property) }] : [];
  });
  const secret = fields.filter(({ isSecret }) => isSecret);
  const found = secret.length > 0 ? secret : fields.filter(({ property }) => !isChoice(property));
  return found.map(({ value }) => value);
}

/** Returns true if the name, or a name, title, description or format in the schema looks like that of a secret. */
function isSecretField(name: string, schema: unknown): boolean {
  if (isSecretName(name, 'argument')) return true;
  if (Array.isArray(schema)) return schema.some((part) => isSecretField('', part));
  if (!isObject(schema)) return false;
  return Object.entries(schema).some(([key, value]) => {
    if (key === 'format' && value === 'password') return true;
    if ((key === 'title' || key === 'description') && typeof value === 'string') return namesSecret(value);
    return isSecretField(key, value);
  });
}

/** Returns true if a phrase in the text is a secret's name: "your API key for …". */
function namesSecret(text: unknown): boolean {
  const words = typeof text === 'string' ? (text.match(/[\p{L}\p{N}]+/gu) ?? []) : [];
  return words.some((word, at) => isSecretName(`${words[at - 1] ?? ''}_${word}`, 'argument'));
}

function isChoice(schema: unknown): boolean {
  return isObject(schema) && (own(schema, 'enum') !== undefined || own(schema, 'oneOf') !== undefined);
}
