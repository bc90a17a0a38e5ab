import type { Planted } from './test-plant';

/**
 * Those of the planted secrets that are in an output, as they are or in another form. Text that is deflated has to be inflated first. Forms
 * are made by Node's own means, since what is tested might not know one.
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

/** All forms of all secrets by how they begin: a session has to be gone through once. */
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

/** What a secret may be written as. Of a shorter one than {@link HEAD} other forms are in everything. */
function formsOf(secret: string): readonly string[] {
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
