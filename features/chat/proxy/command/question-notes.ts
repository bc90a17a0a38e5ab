import type { ClientOptions, QuestionMethod } from '@/proxy/commands/headless/client-options';

const QUESTIONS = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
} as const satisfies Partial<Record<QuestionMethod, string>>;

/**
 * Returns a listener that gets each message of each server. It says once that a server asks for something that has no
 * answer: the server’s own words, such as “Method not found”, don’t say how to give one.
 */
export function questionNotes(
  client: ClientOptions | undefined,
  printNote: (line: string) => void,
): (server: string, message: Buffer) => void {
  const noted = new Set<string>();
  const { capabilities = {} } = client?.profile ?? {};
  const open = (Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[])
    // A question of a declared kind is refused with a note of its own.
    .filter((method) => !client?.answers.has(method) && capabilities[QUESTIONS[method]] === undefined)
    // Within a text, JSON would have a backslash before the quotation mark.
    .map((method) => ({ method, bytes: Buffer.from(`"${method}"`) }));
  return (server, message) => {
    for (const { method, bytes } of open) {
      const key = `${method} ${server}`;
      if (noted.has(key) || !message.includes(bytes)) continue;
      noted.add(key);
      printNote(
        `mcp-inspect: ${server} asked for ${method}, which nobody answers here. Give answers with \`--answers FILE\`.`,
      );
    }
  };
}
