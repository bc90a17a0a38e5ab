/** True for an absolute http or https URL. */
export function isUrl(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}
