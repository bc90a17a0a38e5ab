import { ToolError } from './tool-error';

/** The name of a recording, absent for the first of the list, and the number of a frame in it. */
export interface LinkedFrame {
  readonly recording: string | undefined;
  readonly seq: number;
}

/** Returns the stable name of a frame in answers: `run-7#12`. */
export function frameName(recording: string, seq: number): string {
  return `${recording}#${seq}`;
}

/** Returns the address of a frame as a resource. */
export function frameUri(recording: string, seq: number | string): string {
  return `mcp-inspect://recording/${encodeURIComponent(recording)}/frame/${seq}`;
}

/** Reads `run-7#12`, `#12`, `12`, or the address of a frame. Throws a ToolError. */
export function readFrameName(text: string, recording: string | undefined): LinkedFrame {
  const address = /^mcp-inspect:\/\/recording\/([^/]{1,600})\/frame\/(\d{1,9})$/.exec(text);
  const [, named, digits] = address ?? /^(?:([^#]{1,200})?#)?(\d{1,9})$/.exec(text.trim()) ?? [];
  if (digits === undefined || Number(digits) === 0) {
    throw new ToolError(
      '`frame` is the name of a frame, such as `#12` or `RECORDING#12`, as answers of other tools have it.',
    );
  }
  const name = address && named !== undefined ? decodedName(named) : named;
  return { recording: name ?? recording, seq: Number(digits) };
}

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ToolError('The address of this frame is not percent-encoded correctly.');
  }
}
