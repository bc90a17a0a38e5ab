const encoder = new TextEncoder();

/** The bytes of each character of windows-1252, which is what `latin1` means on the web. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (sign, byte) => [sign, byte],
  ),
);

/**
 * The bytes of a body that an archive has as text. Messages are UTF-8, but Chromium reads an event stream that names no charset as
 * windows-1252 (`hÃ©`): where the text is that, and its `size` says so, it is put right.
 */
export function bodyBytes(text: string, size: unknown): Uint8Array {
  const bytes = encoder.encode(text);
  // One character for each byte, and of more than ASCII.
  if (text.length !== size || bytes.length === size) return bytes;
  const misread = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = BYTES.get(text[at]!);
    if (byte === undefined) return bytes;
    misread[at] = byte;
  }
  return isUtf8(misread) ? misread : bytes;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
