/** Reads the decimal count of a header or a list; undefined for anything else, such as `-1`, `0x10`, '' and `1e9`. */
export function readCount(text: string | null | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;
}
