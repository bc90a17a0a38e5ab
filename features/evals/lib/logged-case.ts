/**
 * Returns a call as a case of an eval, whose prompt is still to be written: YAML for the list `cases`. Kept apart from
 * `case-text.ts`, because it is part of what the page loads first. `args`: JSON text.
 */
export function loggedCase(server: string, tool: string, args: string): string {
  return [
    `  - name: ${JSON.stringify(`calls ${tool}`)}`,
    '    prompt: Write what a person would ask',
    `    servers: [${JSON.stringify(server)}]`,
    '    expect:',
    `      tool: ${JSON.stringify(tool)}`,
    `      arguments: ${args}`,
    '',
  ].join('\n');
}
