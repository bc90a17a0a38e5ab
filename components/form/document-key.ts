/** Name of the draft that holds the arguments for an entry of a list: by the server's name, so that a restart keeps it. */
export function documentKey(kind: 'tool' | 'prompt' | 'template', server: string, entry: string): string {
  return `${kind} ${server} ${entry}`;
}
