/**
 * Reads the answers of S3: flat elements without attributes that matter. Not a parser of XML in general: an answer that
 * is not what S3 writes has no values.
 */

/** Returns the text of the first element with this name; undefined if there is none. */
export function xmlText(xml: string, name: string): string | undefined {
  const inside = xmlInside(xml, name);
  return inside === undefined ? undefined : decodeXml(inside);
}

/** Returns the content of each element with this name, in order. They must not be nested. */
export function* xmlElements(xml: string, name: string): Generator<string> {
  const [open, close] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const end = xml.indexOf(close, at);
    if (end < 0) return;
    yield xml.slice(at + open.length, end);
    at = end + close.length;
  }
}

/** Writes text for an element. */
export function encodeXml(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function xmlInside(xml: string, name: string): string | undefined {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const at = xml.indexOf(open);
  const end = at < 0 ? -1 : xml.indexOf(close, at);
  return end < 0 ? undefined : xml.slice(at + open.length, end);
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
