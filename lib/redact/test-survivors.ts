import type { Planted } from './test-plant';

/**
 * Those of the planted secrets that are in an output, as they are or in another form. Text that is deflated has to be inflated first. Forms
 * are made by Node's own means, since what is tested might not know one.
 */
export function survivors(output: string | Uint8Array, planted: readonly Planted[]): readonly string[] {
  const text = typeof output === 'string' ? output : Buffer.from(output).toString();
  const readings = [text, unescaped(text), unescaped(unescaped(text))].map(withoutColours);
  return planted
    .filter(({ secret }) => formsOf(secret).some((form) => readings.some((reading) => reading.includes(form))))
    .map(({ where }) => where);
}

/** What a secret may be written as. Shorter than eight, it is in everything in other forms. */
function formsOf(secret: string): readonly string[] {
  if (secret.length < 8) return [secret];
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const percent = hex.replace(/../g, '%$&');
  const uri = encodeURIComponent(secret);
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), hex, hex.toUpperCase(), percent, percent.toUpperCase()],
    ...[uri, encodeURIComponent(uri), new URLSearchParams({ a: secret }).toString().slice(2)],
    ...[0, 1, 2].flatMap((before) => base64Of(bytes, before)),
    ...[0, 1, 2].flatMap((before) => base64Of(Buffer.from(bytes.toString('base64')), before)),
    ...[', ', ',', ' '].map((between) => [...bytes].join(between)),
    ...[' ', ':', '\\x'].map((between) => hex.match(/../g)!.join(between)),
  ];
}

/** What does not depend on the text around it. */
function base64Of(bytes: Buffer, before: number): readonly string[] {
  return (['base64', 'base64url'] as const).map((alphabet) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]);
    return all.toString(alphabet).slice([0, 2, 3][before], Math.floor((all.length * 4) / 3));
  });
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (written) => JSON.parse(`"${written}"`) as string);
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return text.replace(/\u001b\[[\d;]*m/g, '');
}
