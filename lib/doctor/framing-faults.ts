/** How a server writes messages that clients can't read, in the words of the doctor. */
interface FramingFault {
  readonly what: string;
  readonly advice: string;
}

interface FramingRow extends FramingFault {
  matches(line: string): boolean;
}

/** Ways to write a message other than as JSON in UTF-8 on one line. */
const FRAMING_FAULTS: readonly FramingRow[] = [
  {
    matches: (line) => /^\s*Content-Length:\s*\d+\s*$/i.test(line),
    what: 'It frames messages with `Content-Length` headers, as language servers do.',
    advice: 'Print each message as JSON on one line, without a header.',
  },
  {
    matches: (line) => line.includes('\0') && /"jsonrpc"/.test(line.replaceAll('\0', '')),
    what: 'It writes its messages in UTF-16.',
    advice: 'Write UTF-8 to stdout, without a byte order mark.',
  },
  {
    matches: (line) => /^\s*"\s*\{\s*\\"/.test(line) && line.includes('\\"jsonrpc\\"'),
    what: 'It encodes its messages twice: each is a JSON string that contains JSON.',
    advice: 'Print the JSON itself.',
  },
];

/** Returns how a line of stdout holds a message that clients can't read; undefined for another line. */
export function framingFault(line: string): FramingFault | undefined {
  return FRAMING_FAULTS.find((row) => row.matches(line));
}
