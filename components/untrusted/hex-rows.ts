/** Bytes in a row of the hex view. */
export const HEX_ROW_BYTES = 16;

/** One row: offset, bytes in hex, bytes as ASCII with dots for what has no shape. */
export function hexRow(bytes: Uint8Array, row: number): { offset: string; hex: string; ascii: string } {
  const start = row * HEX_ROW_BYTES;
  const part = [...bytes.subarray(start, start + HEX_ROW_BYTES)];
  const hex = part.map((byte, index) => `${index === 8 ? ' ' : ''}${byte.toString(16).padStart(2, '0')}`).join(' ');
  return {
    offset: start.toString(16).padStart(8, '0'),
    hex: hex.padEnd(HEX_ROW_BYTES * 3),
    ascii: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
  };
}
