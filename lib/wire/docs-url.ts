/** The place of the documentation, which the package does not contain. */
const DOCS = 'https://github.com/mcp-inspect/mcp-inspect/blob/main/docs';

/**
 * Returns the address of a page of the documentation, or of a heading in it. A test holds each call against the files
 * and their headings, so both are written out where it is called.
 */
export function docsUrl(page: string, anchor?: string): string {
  return `${DOCS}/${page}.md${anchor === undefined ? '' : `#${anchor}`}`;
}
