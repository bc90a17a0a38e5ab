import { parseTemplate } from 'url-template';
import { stringifyJson } from '@/lib/json/exact';

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** The variables of an RFC 6570 template, each once, in order. `list` if it is exploded (`{path*}`): its value may be several. */
export function templateVariables(template: string): readonly { readonly name: string; readonly list: boolean }[] {
  const found = new Map<string, boolean>();
  for (const [, , expression] of template.matchAll(EXPRESSION)) {
    for (const part of expression!.split(',')) {
      const [, name, modifier] = /^([^:*]*)(\*|:\d+)?$/.exec(part.trim()) ?? [];
      if (name) found.set(name, (found.get(name) ?? false) || modifier === '*');
    }
  }
  return [...found].map(([name, list]) => ({ name, list }));
}

/**
 * The uri a template stands for with these values (RFC 6570). A variable without a value is left out; an exploded one takes a
 * value a line. Undefined if it cannot be expanded, as with half a character in it.
 */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string | undefined {
  // No prototype, so that a variable called `constructor` is one like others.
  const context = Object.create(null) as Record<string, string | string[]>;
  for (const { name, list } of templateVariables(template)) {
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    // A value of another type is shown in its field, so it goes out as it is written there.
    const value = typeof given === 'string' || given === undefined || given === null ? given : stringifyJson(given);
    if (typeof value === 'string') context[name] = list && value.includes('\n') ? value.split('\n') : value;
  }
  try {
    return parseTemplate(template).expand(context);
  } catch {
    return undefined;
  }
}

/**
 * The values with which a template makes this uri, as far as that can be told: of variables that stand alone in their braces, plain,
 * reserved or of a fragment, each up to where the text behind it is first. Undefined if it makes another uri.
 */
export function valuesInUri(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  // The text before the first, each variable, and the text behind it: no search goes back, whatever a server lists.
  const parts = template.split(/\{([+#]?[\w.-]+)\}/);
  const values: Record<string, string> = Object.create(null);
  let at = parts[0]!.length;
  for (let place = 1; place < parts.length; place += 2) {
    const [name, behind] = [parts[place]!, parts[place + 1]!];
    if (name.startsWith('#')) at++;
    const end = behind === '' ? uri.length : uri.indexOf(behind, at);
    if (end < at) return undefined;
    values[name.replace(/^[+#]/, '')] = decoded(uri.slice(at, end));
    at = end + behind.length;
  }
  // What does not lead back to the uri was told wrong.
  return expandTemplate(template, values) === uri ? values : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A schema whose fields are the template's variables. */
export function templateSchema(template: string): object {
  const properties = templateVariables(template).map(({ name, list }) => [
    name,
    { type: 'string', ...(list ? { description: 'A list: one value a line.' } : {}) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}
