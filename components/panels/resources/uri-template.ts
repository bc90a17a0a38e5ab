import { parseTemplate } from 'url-template';
import { stringifyJson } from '@/lib/json/exact';
import { percentDecoded } from '@/lib/wire/url';

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/**
 * Returns the variables of an RFC 6570 template, each once, in order. `list`: the variable is exploded (`{path*}`), so
 * it takes several values.
 */
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
 * Expands a template with these values (RFC 6570). A variable without a value is skipped; an exploded one takes one
 * value per line. Undefined if a value can't be encoded, such as half a surrogate pair.
 */
export function expandTemplate(template: string, values: Readonly<Record<string, unknown>>): string | undefined {
  // No prototype, so that a variable called `constructor` works like any other.
  const context = Object.create(null) as Record<string, string | string[]>;
  for (const { name, list } of templateVariables(template)) {
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    // A value of another type is expanded as JSON text, as its field shows it.
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
 * Returns the values that expand a template to this uri; undefined if there are none. Handles single plain, reserved
 * (`+`) and fragment (`#`) variables. Each value ends where the template's next literal text first occurs.
 */
export function valuesInUri(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  // Alternating literal text and variable names. The search never goes back, so a hostile template can't make it slow.
  const parts = template.split(/\{([+#]?[\w.-]+)\}/);
  const values: Record<string, string> = Object.create(null);
  let at = parts[0]!.length;
  for (let place = 1; place < parts.length; place += 2) {
    const [name, behind] = [parts[place]!, parts[place + 1]!];
    if (name.startsWith('#')) at++;
    const end = behind === '' ? uri.length : uri.indexOf(behind, at);
    if (end < at) return undefined;
    values[name.replace(/^[+#]/, '')] = percentDecoded(uri.slice(at, end));
    at = end + behind.length;
  }
  // Values that do not expand to the uri again are wrong.
  return expandTemplate(template, values) === uri ? values : undefined;
}

/** Returns a schema with a string property for each variable of a template. */
export function templateSchema(template: string): object {
  const properties = templateVariables(template).map(({ name, list }) => [
    name,
    { type: 'string', ...(list ? { description: 'A list: one value per line' } : {}) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}
