import type { Planted } from './test-plant';

/**
 * Returns the planted secrets that occur in an output, in any form. Inflate deflated text first. Forms are made with
 * Node's own functions, because the tested code may not know one.
 */
export function survivors(output: string | Uint8Array, planted: readonly Planted[]): readonly string[] {
  const text = typeof output === 'string' ? output : Buffer.from(output).toString();
  const found = new Set<string>();
  const byHead = formsByHead(planted);
  for (const reading of [text, unescaped(text), unescaped(unescaped(text))].map(withoutColours)) {
    for (const { where, secret } of planted) if (secret.length < HEAD && reading.includes(secret)) found.add(where);
    for (let at = 0; at < reading.length; at++) {
      for (const { form, where } of byHead.get(reading.slice(at, at + HEAD)) ?? []) {
        if (reading.startsWith(form, at)) found.add(where);
      }
    }
  }
  return [...found];
}

const HEAD = 8;

/** Returns all forms of all secrets by their first characters, so that one pass over a recording is enough. */
function formsByHead(planted: readonly Planted[]) {
  const byHead = new Map<string, { readonly form: string; readonly where: string }[]>();
  for (const { where, secret } of planted) {
    for (const form of secret.length < HEAD ? [] : formsOf(secret)) {
      const head = form.slice(0, HEAD);
      byHead.set(head, [...(byHead.get(head) ?? []), { form, where }]);
    }
  }
  return byHead;
}

/** Returns the ways to write a secret. Other forms of very short secrets occur everywhere. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const percent = hex.replace(/../g, '%$&');
  const uri = encodeURIComponent(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
    percent,
    percent.toUpperCase(),
    uri,
    encodeURIComponent(uri),
    new URLSearchParams({ a: secret }).toString().slice(2),
    ...[0, 1, 2].flatMap((before) => base64Of(bytes, before)),
    ...[0, 1, 2].flatMap((before) => base64Of(Buffer.from(bytes.toString('base64')), before)),
    ...[', ', ',', ' '].map((between) => [...bytes].join(between)),
    ...[' ', ':', '\\x'].map((between) => hex.match(/../g)!.join(between)),
  ];
}

/** Returns the characters that do not depend on the surrounding text. */
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
