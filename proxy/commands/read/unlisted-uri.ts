import { findEntry, RESOURCES, TEMPLATES, unlistedText } from '../headless/named-entries';
import type { ConnectedServer } from '../headless/on-server';

/**
 * Returns a sentence if the server neither lists a URI nor has a template for it; undefined if it does, or does not
 * say. Servers may have resources that they do not list, so this is asked only after a read that found nothing.
 */
export async function unlistedUri(uri: string, server: ConnectedServer): Promise<string | undefined> {
  if (!server.negotiated) return undefined;
  const { entry, names, failure } = await findEntry(server, RESOURCES, uri);
  if (entry || failure !== undefined) return undefined;
  const templates = await findEntry(server, TEMPLATES, uri);
  if (templates.names.some((template) => mayMatch(template, uri))) return undefined;
  return unlistedText('resource', uri, names);
}

/** Returns true if a template (RFC 6570) may expand to a URI: its literals are in it, in their order. */
function mayMatch(template: string, uri: string): boolean {
  const [first = '', ...literals] = template.split(/\{[^{}]*\}/);
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (const literal of literals) {
    const found = uri.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return literals.length > 0 || at === uri.length;
}
