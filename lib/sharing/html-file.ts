/** The places in a template that are filled in; each is there once. */
const NAME = '{{name}}';
const RECORDING = '{{recording}}';

/**
 * The viewer with a recording in it, as pieces of one HTML file: `template` is what scripts/build-viewer.mjs makes, `name` what the
 * recording's file is called, `base64` its bytes, gzipped. Base64 has nothing that could end the element it stands in.
 */
export function htmlFile(template: string, name: string, base64: string): readonly string[] {
  const [start, rest] = cut(template, NAME);
  const [middle, end] = cut(rest, RECORDING);
  return [start, attributeText(name), middle, base64, end];
}

function cut(text: string, at: string): readonly [string, string] {
  const place = text.indexOf(at);
  if (place < 0) throw new Error(`The viewer has no ${at}.`);
  return [text.slice(0, place), text.slice(place + at.length)];
}

function attributeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
