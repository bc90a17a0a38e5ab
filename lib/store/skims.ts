import type { Frame } from '@/lib/wire/frame';
import { type Classified, classified } from './classify';

const decoder = new TextDecoder();
const FEW = 4;
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/**
 * What the skims among these frames are. Those that stand behind each other in a batch are decoded and parsed together, each being an item of
 * one array then: one by one, most of the time would go into asking for it.
 */
export function classifySkims(frames: readonly Frame[]): ReadonlyMap<number, Classified> | undefined {
  let known: Map<number, Classified> | undefined;
  for (let from = 0; from < frames.length; ) {
    let to = from;
    while (to < frames.length && frames[to]!.skimOf !== undefined && goesOn(frames, from, to)) to++;
    if (to - from >= FEW) {
      known ??= new Map();
      takeRun(frames.slice(from, to), known);
    }
    from = Math.max(to, from + 1);
  }
  return known;
}

/** Whether a frame's bytes stand right behind those of the one before, in the same buffer. */
function goesOn(frames: readonly Frame[], from: number, to: number): boolean {
  if (to === from) return true;
  const [before, frame] = [frames[to - 1]!.bytes, frames[to]!.bytes];
  return (
    before.buffer === frame.buffer &&
    before.byteOffset + before.length + AFTER + headOf(frames[to]!) === frame.byteOffset
  );
}

/** `]` and the byte between two entries of a batch. */
const AFTER = 2;

/** Characters before the skim: `[`, digits, `,`. */
function headOf({ skimOf = 0 }: Frame): number {
  return String(skimOf).length + 2;
}

function takeRun(run: readonly Frame[], known: Map<number, Classified>): void {
  const items = itemsOf(run);
  if (items?.length !== run.length) return;
  for (let place = 0; place < run.length; place++) {
    const item = items[place];
    if (Array.isArray(item)) known.set(run[place]!.seq, classified(item[1], false));
  }
}

/** The entries of a run as one array; undefined if they are none together. */
function itemsOf(run: readonly Frame[]): readonly unknown[] | undefined {
  const [first, last] = [run[0]!, run.at(-1)!];
  const start = first.bytes.byteOffset - headOf(first);
  const end = last.bytes.byteOffset + last.bytes.length + 1;
  const text = new Uint8Array(end - start + 2);
  text.set(new Uint8Array(first.bytes.buffer, start, end - start), 1);
  text[0] = OPEN;
  // What stands between them; behind the last one, the end.
  for (const { bytes } of run) text[bytes.byteOffset + bytes.length + AFTER - start] = COMMA;
  text[text.length - 1] = CLOSE;
  try {
    return JSON.parse(decoder.decode(text)) as unknown[];
  } catch {
    return undefined;
  }
}
