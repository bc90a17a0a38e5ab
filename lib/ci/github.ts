import { plainLine } from './server-text';

/** Formats a warning as an annotation of GitHub Actions. */
export function githubWarning(text: string): string {
  return `::warning title=mcp-inspect::${dataText(text)}`;
}

/** Escapes text for the data of a workflow command. */
export function dataText(text: string): string {
  return plainLine(text).replaceAll('%', '%25');
}

/** Escapes text for a property of a workflow command. */
export function propertyText(text: string): string {
  return dataText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
