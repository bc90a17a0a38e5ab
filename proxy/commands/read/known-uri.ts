import { mayHaveLists } from '@/lib/wire/declares';
import {
  findEntry,
  inListTime,
  NAMED_RESOURCES,
  NAMED_TEMPLATES,
  type NamedList,
  requireListed,
  unlistedText,
} from '../headless/named-entries';
import type { ConnectedServer } from '../headless/on-server';
import { SettledLists } from '../headless/settled-lists';

/** URIs that tools and skills name. The lists need not have them. */
const NAMED_ELSEWHERE = /^(?:ui|skill):/i;

/** Finds out whether the server can have a resource, also if it adds it to its list only after the handshake. */
export class KnownUri {
  readonly #settled = new SettledLists();

  /** Sees every frame of the connection. */
  readonly onFrame = this.#settled.onFrame;

  /**
   * Throws an ExitError if the server lists resources or templates, and none is this URI or may expand to it. Otherwise
   * returns a sentence about a read that finds nothing, if the lists say why. A list that can’t be read may have it.
   */
  async require(server: ConnectedServer, uri: string): Promise<string | undefined> {
    const { negotiated } = server;
    if (!negotiated || !mayHaveLists(negotiated, 'resources') || NAMED_ELSEWHERE.test(uri)) return undefined;
    const { found = 'unknown' } = await inListTime(this.#find(server, uri), server, NAMED_RESOURCES);
    if (typeof found === 'string') return undefined;
    const { names, templates } = found;
    if (names.length + templates.length === 0) return unlistedText(NAMED_RESOURCES, uri, names);
    return requireListed(NAMED_RESOURCES, uri, [...names, ...templates]);
  }

  async #find(server: ConnectedServer, uri: string): Promise<{ readonly found: Found }> {
    let found = 'unknown' as Found;
    await this.#settled.read(async () => {
      found = await find(server, uri);
      return typeof found === 'string';
    });
    return { found };
  }
}

/** The verdict of the lists on a URI. */
type Found = 'known' | 'unknown' | Unlisted;

/** The URIs and templates of a server that has no such resource. */
interface Unlisted {
  readonly names: readonly string[];
  readonly templates: readonly string[];
}

async function find(server: ConnectedServer, uri: string): Promise<Found> {
  // Most servers have few templates, and often many resources.
  const templates = await namesIn(server, NAMED_TEMPLATES, uri);
  if (templates === 'known' || templates?.some((template) => mayMatch(template, uri))) return 'known';
  const names = await namesIn(server, NAMED_RESOURCES, uri);
  if (names === 'known') return 'known';
  // A server without templates often has no list of them.
  return names === undefined ? 'unknown' : { names, templates: templates ?? [] };
}

async function namesIn(server: ConnectedServer, list: NamedList, uri: string) {
  const { entry, names, failure } = await findEntry(server, list, uri);
  return entry ? 'known' : failure === undefined ? names : undefined;
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
