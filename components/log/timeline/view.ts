/** The stretch of the log's time that is in view, in microseconds since the connection began. */
export interface View {
  readonly from: number;
  readonly to: number;
}

/** The closest look, and how much of a turn of the wheel (in px) doubles or halves what is in view. */
const LEAST_US = 1000;
const DOUBLING_PX = 240;
/** Of what is in view, what a turn of one px goes sideways. */
const PAN_SHARE = 1 / 1000;

/** Nearer or farther around `at`; undefined when all of the log, up to `end`, is in view again. */
export function zoomed({ from, to }: View, at: number, turned: number, end: number): View | undefined {
  const factor = Math.max(2 ** (turned / DOUBLING_PX), LEAST_US / (to - from));
  if ((to - from) * factor >= end) return undefined;
  return within({ from: at - (at - from) * factor, to: at + (to - at) * factor }, end);
}

/** Sideways; undefined if there is no other side. */
export function panned({ from, to }: View, turned: number, end: number): View | undefined {
  if (to - from >= end) return undefined;
  const by = turned * (to - from) * PAN_SHARE;
  return within({ from: from + by, to: to + by }, end);
}

function within({ from, to }: View, end: number): View {
  const by = Math.max(-from, Math.min(0, end - to));
  return { from: from + by, to: to + by };
}
